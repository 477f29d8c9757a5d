// expect: unsafe [judge: none]
// Which bucket an address falls into, nobody knows.
#include <assert.h>

static int x;
int main(void) {
  unsigned h = (unsigned)((unsigned long)&x >> 12) % 8;
  assert(h != 3);
  return 0;
}
