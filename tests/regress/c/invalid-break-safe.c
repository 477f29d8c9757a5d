// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  while (1) {
    break;
  }
  assert(x);
  return 0;
}
