// expect: unsafe, must [judge: gcc]
// To write a quarter of it does not.
#include <assert.h>

int main(void) {
  unsigned long wide = ~0ul;
  __asm__("movw %w1, %w0" : "+r"(wide) : "r"(5ul));
  assert(wide == 5);
  return 0;
}
