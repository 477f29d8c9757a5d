// expect: unknown [judge: none]
// Nothing is known about the number of an address but that it is not zero.
#include <assert.h>

static int x;
int main(void) {
  unsigned long n = (unsigned long)&x;
  assert(n > 4096);
  return 0;
}
