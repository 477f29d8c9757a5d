// expect: unsafe, must [options: --memory-safety-check]
// Not static ones.
#include <stdlib.h>

static char buffer[8];
int main(void) {
  char *p = buffer;
  free(p);
  return 0;
}
