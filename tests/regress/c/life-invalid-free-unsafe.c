// expect: unsafe, must [options: --memory-safety-check]
// Only the beginning of an object can be freed.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  free(p+ 1);
  return 0;
}
