// expect: unsafe
// Deeper than calls are expanded.
#include <assert.h>

static int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  assert(sum(20) == 209);
  return 0;
}
