// expect: unsafe, must [options: --memory-safety-check]
// The only pointer is overwritten.
#include <stdlib.h>

static int *kept;
int main(void) {
  kept = malloc(4);
  kept = malloc(4);
  free(kept);
  kept = 0;
  return 0;
}
