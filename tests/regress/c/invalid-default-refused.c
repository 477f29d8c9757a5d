// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  switch (x) {
  default:
    x = 2;
    break;
  default:
    x = 3;
  }
  assert(x == 2);
  return 0;
}
