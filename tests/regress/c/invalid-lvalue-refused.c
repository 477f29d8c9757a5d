// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  x + 1 = 2;
  assert(x);
  return 0;
}
