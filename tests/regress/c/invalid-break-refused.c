// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  if (1) {
    break;
  }
  assert(x);
  return 0;
}
