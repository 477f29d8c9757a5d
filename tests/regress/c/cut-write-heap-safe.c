// expect: safe, must
// Behind an object of the heap.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof(int));
  if (!p)
    return 0;
  int *q = p;
  for (int i = 0; i < 4; i++)
    *q++ = i;
  assert(p[3] == 3);
  return 0;
}
