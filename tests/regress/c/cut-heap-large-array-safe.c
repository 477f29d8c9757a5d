// expect: safe, must
// An array of two million elements; the twin writes behind it.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2000000 * sizeof(int));
  if (!p)
    return 0;
  p[1999999] = 5;
  return 0;
}
