// expect: unsafe
// A number that does not fit is the largest one.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  long v = strtol("99999999999999999999", 0, 10);
  assert(v == 99999L);
  return 0;
}
