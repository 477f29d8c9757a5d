// expect: safe [judge: none]
// Inline assembly does anything to its outputs.
#include <assert.h>

int main(void) {
  int x = 1;
  __asm__("" : );
  assert(x == 1);
  return 0;
}
