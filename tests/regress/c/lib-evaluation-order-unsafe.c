// expect: unsafe [options: --strict] [judge: none]
// Which operand comes first is open.
#include <assert.h>

static int g = 1;
static int f(void) {
  g = 2;
  return 0;
}
int main(void) {
  int x = g + f();
  assert(x == 1);
  return 0;
}
