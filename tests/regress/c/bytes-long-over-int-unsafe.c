// expect: unsafe, must
// Two numbers as one (with -fno-strict-aliasing).
#include <assert.h>

static _Alignas(8) int a[2] = {1, 2};
int main(void) {
  long v = *(long *)a;
  assert(v == 0x100000002L);
  return 0;
}
