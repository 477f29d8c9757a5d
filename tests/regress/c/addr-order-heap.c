// expect: unknown [judge: none]
// Also on the heap.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(8), *q = malloc(8);
  if (!p || !q)
    return 0;
  assert(p < q);
  return 0;
}
