// expect: unknown [judge: none]
// The opposite is not promised either.
#include <assert.h>

int main(void) {
  const char *a = "abc", *b = "abc";
  assert(a != b);
  return 0;
}
