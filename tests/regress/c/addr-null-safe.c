// expect: safe, must
// No object has the null address.
#include <assert.h>

static int x;
int main(void) {
  int *p = &x;
  assert(p != 0);
  return 0;
}
