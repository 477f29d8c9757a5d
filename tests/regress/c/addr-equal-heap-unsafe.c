// expect: unsafe, must
// Also those of the heap.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4), *q = malloc(4);
  if (!p || !q)
    return 0;
  assert(p == q);
  return 0;
}
