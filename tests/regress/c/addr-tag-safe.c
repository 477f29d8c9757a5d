// expect: safe
// A mark in the lowest bit.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 1;
  uintptr_t n = (uintptr_t)&x | 1;
  int *p = (int *)(n & ~(uintptr_t)1);
  assert(*p == 1 && (n & 1));
  return 0;
}
