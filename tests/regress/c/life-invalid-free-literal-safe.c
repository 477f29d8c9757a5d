// expect: safe, must [options: --memory-safety-check]
// Nor literals.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = strdup("ab");
  free(p);
  return 0;
}
