// expect: safe, must
// The value of a block.
#include <assert.h>

int main(void) {
  int x = 2;
  int y = ({ int t = x + 1; t * 2; });
  assert(y == 6);
  return 0;
}
