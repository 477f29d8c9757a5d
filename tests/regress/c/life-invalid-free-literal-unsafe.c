// expect: unsafe, must [options: --memory-safety-check]
// Nor literals.
#include <stdlib.h>

int main(void) {
  char *p = "ab";
  free(p);
  return 0;
}
