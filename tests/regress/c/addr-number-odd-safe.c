// expect: safe [judge: none]
// A character may be at an odd place, a number may not.
#include <assert.h>

static int x;
int main(void) {
  assert((unsigned long)&x % 2 == 0);
  return 0;
}
