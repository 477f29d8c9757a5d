// expect: unknown [judge: none]
// Nor that the tail of one is another one.
#include <assert.h>

int main(void) {
  const char *a = "xbc", *b = "bc";
  assert(a + 1 != b);
  return 0;
}
