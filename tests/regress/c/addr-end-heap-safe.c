// expect: safe, must
// Behind an object of the heap.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof(int));
  if (!p)
    return 0;
  int *end = &p[2];
  while (end != p)
    *--end = 1;
  return 0;
}
