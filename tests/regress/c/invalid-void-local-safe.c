// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x;
  assert(1);
  return 0;
}
