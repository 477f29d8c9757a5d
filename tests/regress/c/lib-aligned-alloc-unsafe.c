// expect: unsafe
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = aligned_alloc(64, 64);
  if (!p)
    return 0;
  assert(((unsigned long)p % 64) == 0);
  p[15] = 1;
  assert(p[15] == 0);
  free(p);
  return 0;
}
