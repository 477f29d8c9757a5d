// expect: safe, must [options: --memory-safety-check]
// A library function reads what is gone.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = calloc(4, 1);
  char b[4];
  if (!p)
    return 0;
  memcpy(b, p, 4); free(p);
  return b[0];
}
