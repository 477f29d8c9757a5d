// expect: safe, must [options: --memory-safety-check]
// The name of a file is read.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *p = calloc(4, 1);
  if (!p)
    return 0;
  FILE *f = fopen(p, "r");
  free(p);
  if (f)
    fclose(f);
  return 0;
}
