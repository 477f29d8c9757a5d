// expect: safe, must
// Overlapping, towards higher addresses.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[6] = {1, 2, 3, 4, 5, 6};
  memmove(a + 1, a, 5);
  assert(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[5] == 5);
  return 0;
}
