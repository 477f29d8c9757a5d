// expect: unsafe, must
// Digits of a base.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(strtol("777", 0, 8) == 777);
  return 0;
}
