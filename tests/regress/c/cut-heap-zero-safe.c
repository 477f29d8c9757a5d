// expect: safe [judge: none]
// An object of no bytes must not be written.
#include <stdlib.h>

int main(void) {
  char *p = malloc(1);
  if (!p)
    return 0;
  *p = 1;
  return 0;
}
