// expect: safe, must [judge: gcc]
// A template that jumps to a label of C.
#include <assert.h>

static int is_set(unsigned value) {
  __asm__ goto("btl $4, %0; jc %l[yes]" : : "r"(value) : "cc" : yes);
  return 0;
yes:
  return 1;
}

int main(void) {
  assert(is_set(0x10) && !is_set(0x20));
  return 0;
}
