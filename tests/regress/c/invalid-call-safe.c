// expect: safe, must [judge: syntax]
#include <assert.h>

static int f(void) { return 1; }
static int g = 1;
int main(void) {
  assert(f() == 1);
  return 0;
}
