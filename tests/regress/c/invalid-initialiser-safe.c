// expect: safe, must [judge: syntax]
#include <assert.h>

static int x = 3;
static int *y = &x;
int main(void) {
  static int z = 3;
  assert(*&z > 0);
  return 0;
}
