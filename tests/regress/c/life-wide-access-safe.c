// expect: safe, must [options: --memory-safety-check]
// Part of the access is outside.
#include <stdlib.h>

int main(void) {
  short *p = malloc(sizeof(short) * 2);
  if (!p)
    return 0;
  *(int *)p = 1;
  free(p);
  return 0;
}
