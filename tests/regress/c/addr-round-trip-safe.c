// expect: safe, must
// A number made of an address, and back.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 1;
  uintptr_t n = (uintptr_t)&x;
  int *p = (int *)n;
  *p = 2;
  assert(x == 2);
  return 0;
}
