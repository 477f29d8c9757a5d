// expect: unsafe, must [options: --memory-safety-check]
// With it, it is found.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p)
    return 0;
  *p = 1;
  free(p); int v = *p;
  return v == 2;
}
