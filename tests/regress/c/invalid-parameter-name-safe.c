// expect: safe, must [judge: syntax]
#include <assert.h>

static int f(int a, int b) { return a; }
int main(void) {
  assert(f(1, 2) == 1);
  return 0;
}
