// expect: safe [judge: none]
// Equal literals may be one object, or two.
#include <assert.h>

int main(void) {
  const char *a = "abc", *b = "abc";
  assert(a[1] == b[1]);
  return 0;
}
