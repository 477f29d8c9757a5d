// expect: unsafe, must
// The bits of a number.
#include <assert.h>

union number {
  float f;
  unsigned bits;
};

int main(void) {
  union number n;
  n.f = 1.5f;
  assert(n.bits == 0x3fc00001u);
  n.bits ^= 0x80000000u;
  assert(n.f == -1.5f);
  return 0;
}
