// expect: unsafe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[16];
  int n = sprintf(b, "%s-%x", "ab", 255);
  assert(n == 2);
  return 0;
}
