// expect: safe, must [options: --memory-safety-check]
// One element too many.
#include <stdlib.h>

int main(void) {
  int *p = malloc(3 * sizeof(int));
  if (!p)
    return 0;
  for (int i = 0; i < 3; i++)
    p[i] = i;
  free(p);
  return 0;
}
