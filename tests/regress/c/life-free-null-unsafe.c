// expect: unsafe, must [options: --memory-safety-check]
// Freeing null is nothing; writing it is something.
#include <stdlib.h>

int main(void) {
  int *p = 0;
  free(p);
  *p = 1;
  return 0;
}
