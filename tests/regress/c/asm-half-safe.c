// expect: safe, must [judge: gcc]
// To write the lower half of a register clears the upper one.
#include <assert.h>

int main(void) {
  unsigned long wide = ~0ul;
  __asm__("movl %k1, %k0" : "+r"(wide) : "r"(5ul));
  assert(wide == 5);
  return 0;
}
