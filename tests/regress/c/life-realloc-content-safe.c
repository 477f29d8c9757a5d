// expect: safe, must
// The contents move along.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  if (!p)
    return 0;
  p[0] = 1;
  p[1] = 2;
  int *q = realloc(p, 3 * sizeof(int));
  if (!q)
    return 0;
  assert(q[1] == 2);
  return 0;
}
