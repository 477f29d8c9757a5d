// expect: safe, must [judge: gcc]
// Only the lowest byte is incremented: the suffix decides.
#include <assert.h>

static unsigned value = 0x1ff;

int main(void) {
  __asm__ volatile("lock; incb %0" : "+m"(value) : : "memory", "cc");
  assert(value == 0x100);
  return 0;
}
