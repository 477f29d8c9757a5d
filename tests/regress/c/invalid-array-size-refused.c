// expect: refused [judge: syntax]
#include <assert.h>

static int a[-1];
int main(void) {
  assert(a[0] == 0);
  return 0;
}
