// expect: safe
// Two addresses in one number.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 1, y = 2;
  uintptr_t both = (uintptr_t)&x ^ (uintptr_t)&y;
  int *p = (int *)(both ^ (uintptr_t)&x);
  assert(*p == 2);
  return 0;
}
