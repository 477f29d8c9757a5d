// expect: refused [judge: syntax]
#include <assert.h>

static int f(void) { return 1; }
static int g = 1;
int main(void) {
  assert(g() == 1);
  return 0;
}
