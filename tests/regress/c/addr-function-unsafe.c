// expect: unsafe, must
// Functions have addresses of their own.
#include <assert.h>

static int f(void) { return 1; }
static int g(void) { return 2; }
int main(void) {
  int (*p)(void) = f;
  assert(p == g && p() == 1);
  return 0;
}
