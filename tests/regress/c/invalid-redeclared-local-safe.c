// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  { int x = 2; (void)x; }
  assert(x == 1);
  return 0;
}
