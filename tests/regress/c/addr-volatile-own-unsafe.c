// expect: unsafe, must
// One's own volatile object changes only by the program.
#include <assert.h>

static volatile int x;
int main(void) {
  x = 1;
  assert(x == 0);
  return 0;
}
