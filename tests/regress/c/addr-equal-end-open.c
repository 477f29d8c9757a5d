// expect: unknown [judge: none]
// The end of one object may be the beginning of the next.
#include <assert.h>

static int x[2], y[2];
int main(void) {
  int *end = x + 2;
  assert(end != y);
  return 0;
}
