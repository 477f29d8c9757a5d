// expect: unsafe, must [options: --memory-safety-check]
// No room for the null character.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = malloc(3);
  if (!p)
    return 0;
  strcpy(p, "abc");
  free(p);
  return 0;
}
