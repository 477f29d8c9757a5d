// expect: unsafe [judge: none]
// Padding has no value that one may rely on after members are assigned.
#include <assert.h>
#include <string.h>

struct s {
  char a;
  int b;
};
int main(void) {
  struct s x, y;
  x.a = y.a = 1;
  x.b = y.b = 2;
  int r = memcmp(&x, &y, sizeof x);
  assert(r == 0);
  return 0;
}
