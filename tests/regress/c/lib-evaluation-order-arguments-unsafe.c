// expect: unsafe [options: --strict] [judge: none]
// So is the order of arguments.
#include <assert.h>

static int n;
static int next(void) { return ++n; }
static int minus(int a, int b) { return a - b; }
int main(void) {
  int d = minus(next(), next());
  assert(d == -1);
  return 0;
}
