// expect: safe
// A template without text leaves its operands as they are.
#include <assert.h>

int main(void) {
  int x = 1;
  __asm__("" : "+r"(x));
  assert(x == 1);
  return 0;
}
