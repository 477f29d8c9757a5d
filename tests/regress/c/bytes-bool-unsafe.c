// expect: unsafe, must
// A truth value is the byte 0 or 1.
#include <assert.h>
#include <string.h>

int main(void) {
  _Bool b = 4;
  unsigned char c;
  memcpy(&c, &b, 1);
  assert(c == 4);
  return 0;
}
