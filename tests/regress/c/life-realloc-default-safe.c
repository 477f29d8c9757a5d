// expect: safe, must
// The old one without the option.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p)
    return 0;
  *p = 1;
  int *q = realloc(p, 4000);
  if (!q)
    return 0;
  *q = 2;
  return 0;
}
