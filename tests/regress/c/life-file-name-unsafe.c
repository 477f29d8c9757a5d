// expect: unsafe, must [options: --memory-safety-check]
// The name of a file is read.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *p = calloc(4, 1);
  if (!p)
    return 0;
  free(p);
  FILE *f = fopen(p, "r");
  if (f)
    fclose(f);
  return 0;
}
