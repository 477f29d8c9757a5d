// expect: unsafe
// Rounding up to a boundary stays in the buffer if there is room.
#include <assert.h>
#include <stdint.h>

static char buffer[16];
int main(void) {
  char *p = (char *)(((uintptr_t)(buffer + 1) + 15) & ~(uintptr_t)15);
  *p = 1;
  assert(p >= buffer && p < buffer + sizeof buffer);
  return 0;
}
