// expect: safe, must
// One's own volatile object changes only by the program.
#include <assert.h>

static volatile int x;
int main(void) {
  x = 1;
  assert(x == 1);
  return 0;
}
