// expect: unknown [judge: none]
// Nobody promises that an address has few bits.
#include <assert.h>

static char c;
int main(void) {
  assert((unsigned long)&c < 0x800000000000ul);
  return 0;
}
