// expect: refused [judge: syntax]
#include <assert.h>

static int f(int a, int a) { return a; }
int main(void) {
  assert(f(1, 2) == 1);
  return 0;
}
