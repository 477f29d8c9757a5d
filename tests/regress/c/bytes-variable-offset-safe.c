// expect: safe, must
// A number at a place that is not a constant.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
static unsigned char buffer[8];
int main(void) {
  unsigned at = __VERIFIER_nondet_uint() % 4;
  unsigned v = 0x01010101;
  memcpy(buffer + at, &v, 4);
  assert(buffer[3] == 1);
  return 0;
}
