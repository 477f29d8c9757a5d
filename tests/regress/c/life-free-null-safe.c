// expect: safe, must [options: --memory-safety-check]
// Freeing null is nothing; writing it is something.
#include <stdlib.h>

int main(void) {
  int *p = 0;
  free(p);
  return 0;
}
