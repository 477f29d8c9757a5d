// expect: unsafe, must
// From and to integers, without the fraction.
#include <assert.h>

int main(void) {
  double d = -2.9;
  int n = (int)d;
  assert(n == -3);
  unsigned char c = (unsigned char)200.5;
  assert(c == 200);
  float f = 0.1f;
  assert((double)f != 0.1);
  long big = 9007199254740993;
  assert((double)big == 9007199254740992.0);
  return 0;
}
