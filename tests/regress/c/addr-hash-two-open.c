// expect: unknown [judge: none]
// Two objects may share a bucket.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4), *q = malloc(4);
  if (!p || !q)
    return 0;
  unsigned a = ((unsigned long)p >> 4) % 4, b = ((unsigned long)q >> 4) % 4;
  assert(a != b);
  return 0;
}
