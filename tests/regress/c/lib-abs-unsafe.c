// expect: unsafe, must
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(abs(-3) == 3 && labs(-4L) == -4);
  return 0;
}
