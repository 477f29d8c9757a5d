// expect: safe
// The bits of a floating-point number.
#include <assert.h>
#include <string.h>

int main(void) {
  double d = 1.0;
  unsigned long u;
  memcpy(&u, &d, sizeof u);
  assert(u == 0x3ff0000000000000ul);
  return 0;
}
