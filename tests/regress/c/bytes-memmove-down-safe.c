// expect: safe, must
// Overlapping, towards lower addresses.
#include <assert.h>
#include <string.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  memmove(a, a + 1, 3 * sizeof(int));
  assert(a[0] == 2 && a[2] == 4 && a[3] == 4);
  return 0;
}
