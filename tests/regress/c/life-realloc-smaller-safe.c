// expect: safe, must
// Less than before.
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  if (!p)
    return 0;
  char *q = realloc(p, 4);
  if (!q)
    return 0;
  q[3] = 1;
  free(q);
  return 0;
}
