// expect: safe, must
// Also without the option.
#include <stdlib.h>

int main(void) {
  int x = 1;
  int *p = malloc(4);
  free(p);
  return 0;
}
