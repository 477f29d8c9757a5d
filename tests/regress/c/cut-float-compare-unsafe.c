// expect: unsafe
// 0.1 + 0.2 is not 0.3.
#include <assert.h>

int main(void) {
  double a = 0.1, b = 0.2;
  assert(a + b == 0.3);
  return 0;
}
