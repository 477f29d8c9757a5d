// expect: unsafe, must
// Signs and white space.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atoi(" \t-42x") == 42);
  return 0;
}
