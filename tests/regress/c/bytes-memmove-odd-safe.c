// expect: safe, must
// By less than an element.
#include <assert.h>
#include <string.h>

int main(void) {
  unsigned a[2] = {0x04030201, 0x08070605};
  memmove((char *)a + 1, a, 4);
  assert(a[0] == 0x03020101);
  return 0;
}
