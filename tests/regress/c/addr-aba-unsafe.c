// expect: unsafe [judge: gcc]
// What is freed may be given out again at the same address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p)
    return 0;
  uintptr_t old = (uintptr_t)p;
  free(p);
  int *q = malloc(4);
  assert((uintptr_t)q != old);
  return 0;
}
