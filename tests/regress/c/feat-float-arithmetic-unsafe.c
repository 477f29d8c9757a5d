// expect: unsafe, must
// Numbers are rounded as the processor does.
#include <assert.h>

int main(void) {
  double s = 0;
  for (int i = 0; i < 10; i++) {
    s += 0.1;
  }
  assert(s > 1.0);
  float f = 16777216.0f;
  assert(f + 1.0f == f);
  assert(1.0 / 3 * 3 == 1.0);
  return 0;
}
