// expect: safe, must [options: --memory-safety-check]
// A function that frees its argument.
#include <stdlib.h>

static void drop(int *p, int now) {
  if (now)
    free(p);
}
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p)
    return 0;
  drop(p, 0);
  *p = 1;
  free(p);
  return 0;
}
