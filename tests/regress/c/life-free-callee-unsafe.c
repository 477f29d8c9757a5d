// expect: unsafe, must [options: --memory-safety-check]
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
  drop(p, 1);
  *p = 1;
  return 0;
}
