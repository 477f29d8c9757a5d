// expect: unsafe
// An address in two halves.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 5;
  uintptr_t n = (uintptr_t)&x;
  unsigned lo = (unsigned)n, hi = (unsigned)(n >> 32);
  int *p = (int *)((uintptr_t)hi * 4294967296ul + lo);
  assert(*p == 6);
  return 0;
}
