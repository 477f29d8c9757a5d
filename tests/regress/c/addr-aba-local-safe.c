// expect: safe [judge: none]
// Locals of one call after the other.
#include <assert.h>
#include <stdint.h>

static uintptr_t where(void) {
  static int x = 0;
  return (uintptr_t)&x;
}
int main(void) {
  uintptr_t a = where();
  uintptr_t b = where();
  assert(a == b);
  return 0;
}
