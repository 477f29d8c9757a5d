// expect: unsafe
// A write behind one member is not one to the next.
#include <assert.h>

struct s {
  int a[2];
  int b;
};
static struct s s;
static void set(int *p, int i) { p[i] = 1; }
int main(void) {
  set(s.a, 3);
  assert(s.b == 0);
  return 0;
}
