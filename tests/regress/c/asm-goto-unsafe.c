// expect: unsafe, must [judge: gcc]
// It looks at another bit.
#include <assert.h>

static int is_set(unsigned value) {
  __asm__ goto("btl $5, %0; jc %l[yes]" : : "r"(value) : "cc" : yes);
  return 0;
yes:
  return 1;
}

int main(void) {
  assert(is_set(0x10) && !is_set(0x20));
  return 0;
}
