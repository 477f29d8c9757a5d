// expect: unsafe, must [judge: gcc]
// A choice of bit-fields wider than int has as many bits as these.
#include <assert.h>

struct S {
  unsigned long w : 33;
  long e : 40;
};
int main(void) {
  struct S s = {0x1ffffffffUL, -1};
  volatile int one = 1;
  unsigned long x = (one ? s.w : 0) + 1;
  assert(x == 0);
  unsigned long y = (one ? s.w : 0L) + 1;
  assert(y == 0x200000000UL);
  assert((one ? s.e : 1) > 0);
  return 0;
}
