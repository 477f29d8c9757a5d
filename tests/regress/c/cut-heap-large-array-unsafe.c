// expect: unsafe
// An array of two million elements; the twin writes behind it.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2000000 * sizeof(int));
  if (!p)
    return 0;
  p[2000000] = 5;
  return 0;
}
