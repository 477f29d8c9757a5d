// expect: unsafe, must
// Within one object the order is known.
#include <assert.h>

static int a[4];
int main(void) {
  int *p = &a[1], *q = &a[3];
  assert(p > q && q - p == 2);
  return 0;
}
