// expect: safe, must
// By way of a byte.
#include <assert.h>

int main(void) {
  _Bool b = 0;
  *(unsigned char *)&b = 1;
  assert(b == 1);
  return 0;
}
