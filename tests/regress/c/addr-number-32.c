// expect: unknown [options: --32] [judge: none]
// Truncated to int.
#include <assert.h>

static int x;
int main(void) {
  int n = (int)(unsigned long)&x;
  assert(n > 0);
  return 0;
}
