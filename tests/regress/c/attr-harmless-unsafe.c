// expect: unsafe, must
// Attributes without a meaning for the values.
#include <assert.h>

static int f(int x) __attribute__((noinline, unused, pure, warn_unused_result));
static int f(int x) { return x + 1; }
int main(void) {
  int y __attribute__((unused)) = 1;
  assert(f(1) == 1);
  return 0;
}
