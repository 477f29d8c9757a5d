// expect: unsafe
#include <assert.h>
#include <stdlib.h>

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[4] = {1, 3, 5, 7}, key = 5, none = 4;
  int *p = bsearch(&key, a, 4, sizeof(int), up);
  assert(p == a + 1);
  assert(bsearch(&none, a, 4, sizeof(int), up) == 0);
  return 0;
}
