// expect: unsafe, must
// Two objects that exist have two addresses.
#include <assert.h>

static int x, y;
int main(void) {
  int *p = &x;
  assert(p == &y);
  return 0;
}
