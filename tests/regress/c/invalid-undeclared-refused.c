// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  assert(y == 1);
  return 0;
}
