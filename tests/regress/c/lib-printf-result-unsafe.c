// expect: unsafe
// The number of characters.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = printf("abc\n");
  assert(n == 0 || n < 0);
  return 0;
}
