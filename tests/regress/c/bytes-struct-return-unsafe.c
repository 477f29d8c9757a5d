// expect: unsafe, must
// Structures as arguments and results.
#include <assert.h>

struct s {
  short a;
  long b;
};
static struct s bump(struct s s) {
  s.b++;
  return s;
}
int main(void) {
  struct s x = {1, 2};
  struct s y = bump(x);
  assert(x.b == 2 && y.b == 2);
  return 0;
}
