// expect: safe, must [judge: none]
// A pointer without a value.
#include <assert.h>

int main(void) {
  int x = 0;
  int *p = &x;
  *p = 1;
  assert(x == 1);
  return 0;
}
