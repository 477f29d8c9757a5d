// expect: unsafe, must
#include <assert.h>
#include <string.h>

int main(void) {
  char s[8] = "abc";
  s[1] = 0;
  assert(strlen(s) == 3);
  return 0;
}
