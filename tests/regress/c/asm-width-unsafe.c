// expect: unsafe, must [judge: gcc]
// All four bytes are incremented.
#include <assert.h>

static unsigned value = 0x1ff;

int main(void) {
  __asm__ volatile("lock; incl %0" : "+m"(value) : : "memory", "cc");
  assert(value == 0x100);
  return 0;
}
