// expect: safe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char a[4] = "ab", b[4] = "abc";
  assert(strcmp(a, b) < 0 && strncmp(a, b, 2) == 0);
  return 0;
}
