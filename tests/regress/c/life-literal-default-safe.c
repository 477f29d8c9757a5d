// expect: safe, must
// Also without the option.
#include <assert.h>

int main(void) {
  char s[] = "abc";
  s[0] = 'x';
  assert(s[0] == 'x');
  return 0;
}
