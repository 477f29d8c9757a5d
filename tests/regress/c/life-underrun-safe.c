// expect: safe, must [options: --memory-safety-check]
// In front of the object.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  if (!p)
    return 0;
  int *q = p + 1;
  q[-1] = 1;
  free(p);
  return 0;
}
