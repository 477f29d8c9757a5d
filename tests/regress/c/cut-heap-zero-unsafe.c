// expect: unsafe [judge: none]
// An object of no bytes must not be written.
#include <stdlib.h>

int main(void) {
  char *p = malloc(0);
  if (!p)
    return 0;
  *p = 1;
  return 0;
}
