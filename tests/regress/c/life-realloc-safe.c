// expect: safe, must [options: --memory-safety-check]
// The old object is gone.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p)
    return 0;
  *p = 1;
  int *q = realloc(p, 4000);
  if (!q) {
    free(p);
    return 0;
  }
  int v = *q;
  free(q);
  return v == 9;
}
