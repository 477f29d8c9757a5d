// expect: safe, must
// The value is a byte.
#include <assert.h>
#include <string.h>

int main(void) {
  int x;
  memset(&x, 0x101, sizeof x);
  assert(x == 0x01010101);
  return 0;
}
