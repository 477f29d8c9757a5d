// expect: safe, must
// One byte of a number changes.
#include <assert.h>

int main(void) {
  unsigned x = 0;
  ((unsigned char *)&x)[2] = 0xff;
  assert(x == 0xff0000u);
  return 0;
}
