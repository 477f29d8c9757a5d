// expect: unsafe
// Cut off, but the length is that of the whole.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[3];
  int n = snprintf(b, sizeof b, "%s", "abcdef");
  assert(b[2] == 0 && n == 2);
  return 0;
}
