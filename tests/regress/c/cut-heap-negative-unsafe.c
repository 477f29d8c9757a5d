// expect: unsafe [judge: gcc]
// A size that wraps around: the request fails, or is large.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int n = -4;
  char *p = malloc(n);
  assert(p != 0);
  return 0;
}
