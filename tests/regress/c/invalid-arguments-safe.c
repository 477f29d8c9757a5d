// expect: safe, must [judge: syntax]
#include <assert.h>

static int f(int a, int b) { return a + b; }
int main(void) {
  assert(f(1, 2) > 0);
  return 0;
}
