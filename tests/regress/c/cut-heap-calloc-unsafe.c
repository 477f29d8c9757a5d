// expect: unsafe
// All elements of calloc are zero, also the last of many.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = calloc(1000, sizeof(int));
  if (!p)
    return 0;
  p[998] = 1;
  assert(p[999] == 1);
  assert(p[998] == 1);
  return 0;
}
