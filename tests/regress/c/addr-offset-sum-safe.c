// expect: safe
// Arithmetic on the number.
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a[3] = {1, 2, 3};
  uintptr_t n = (uintptr_t)a;
  n += 2 * sizeof(int);
  assert(*(int *)n == 3);
  return 0;
}
