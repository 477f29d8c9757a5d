// expect: safe
// The callback is called.
#include <assert.h>
#include <stdlib.h>

static int calls;
static int up(const void *a, const void *b) {
  calls++;
  return *(const char *)a - *(const char *)b;
}
int main(void) {
  char a[2] = {2, 1};
  qsort(a, 2, 1, up);
  assert(calls > 0);
  return 0;
}
