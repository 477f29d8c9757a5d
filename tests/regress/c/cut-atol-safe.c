// expect: safe, must
// A function of the standard has the value that the standard gives it.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atol("12") == 12);
  return 0;
}
