// expect: safe
// All of them are clear.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = calloc(300, sizeof(int));
  if (!p)
    return 0;
  assert(p[299] == 0);
  free(p);
  return 0;
}
