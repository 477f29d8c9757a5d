// expect: unsafe [judge: none]
// A volatile object of others may change between two reads.
#include <assert.h>

extern volatile int status;
int main(void) {
  int a = status;
  int b = status;
  assert(a == b);
  return b == 3;
}
