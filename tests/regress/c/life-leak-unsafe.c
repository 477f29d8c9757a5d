// expect: unsafe, must [options: --memory-safety-check]
// Nobody has its address at the end.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  p = 0;
  return 0;
}
