// expect: refused [judge: syntax]
#include <assert.h>

static int x = 3;
static int *y = x;
int main(void) {
  static int z = x + 1;
  assert(*&z > 0);
  return 0;
}
