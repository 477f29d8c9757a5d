// expect: unsafe
// Floating point: right, or not at all.
#include <assert.h>

int main(void) {
  double d = 0.5;
  int v = (int)(d * 4);
  assert(v == 0);
  return 0;
}
