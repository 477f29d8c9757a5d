// expect: safe, must [options: --memory-safety-check]
// A text that is printed is read.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *p = calloc(4, 1);
  if (!p)
    return 0;
  printf("%s", p);
  free(p);
  return 0;
}
