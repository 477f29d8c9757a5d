// expect: safe
// Sorted by the callback.
#include <assert.h>
#include <stdlib.h>

static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void) {
  int a[3] = {1, 3, 2};
  qsort(a, 3, sizeof(int), down);
  assert(a[0] == 3 && a[2] == 1);
  return 0;
}
