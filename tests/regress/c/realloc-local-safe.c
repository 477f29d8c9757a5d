// expect: safe, must [options: --memory-safety-check] [judge: none]
// What realloc is given comes from an allocation.
#include <stdlib.h>

int main(void) {
  char local[8];
  char *p = malloc(4), *q = p;
  q = realloc(q, 16);
  free(q);
  return 0;
}
