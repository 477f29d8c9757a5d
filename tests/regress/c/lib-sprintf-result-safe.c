// expect: safe
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[16];
  int n = sprintf(b, "%s-%x", "ab", 255);
  assert(n == 5);
  return 0;
}
