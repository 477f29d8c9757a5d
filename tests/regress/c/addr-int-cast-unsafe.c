// expect: unsafe [judge: gcc]
// An int does not hold an address of 64 bits.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  *p = 1;
  int n = (int)(long)p;
  int *q = (int *)(long)n;
  assert(q == p);
  return 0;
}
