// expect: safe, must [judge: gcc]
// The value of a block, and of a conditional without its middle operand, is promoted as the bit-field that it is.
#include <assert.h>

struct S {
  unsigned a : 5;
  unsigned long w : 33;
};
int main(void) {
  struct S s = {31, 0x1ffffffffUL};
  assert(({ s.a; }) - 32 < 0);
  assert((s.a ?: 1) - 32 < 0);
  unsigned long x = ({ s.w; }) + 1;
  assert(x == 0);
  return 0;
}
