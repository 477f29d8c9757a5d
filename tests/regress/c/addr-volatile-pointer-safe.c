// expect: safe [judge: none]
// A register of a device.
#include <assert.h>

int main(void) {
  volatile unsigned *reg = (volatile unsigned *)0x40001000;
  unsigned a = *reg, b = *reg;
  assert(a == a);
  return b == 7;
}
