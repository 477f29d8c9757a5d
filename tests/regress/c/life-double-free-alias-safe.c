// expect: safe, must [options: --memory-safety-check]
// By two names.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  char *q = p;
  free(p);
  return 0;
}
