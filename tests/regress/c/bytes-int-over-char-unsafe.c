// expect: unsafe, must
// A buffer of characters as numbers.
#include <assert.h>

static _Alignas(8) char buffer[8];
int main(void) {
  int *p = (int *)buffer;
  p[1] = 0x01020304;
  assert(buffer[4] == 1);
  return 0;
}
