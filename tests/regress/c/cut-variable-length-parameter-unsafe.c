// expect: unsafe
// A parameter with the length of its array.
#include <assert.h>

static int last(int n, int a[n]) { return a[n - 1]; }
int main(void) {
  int a[3] = {1, 2, 3};
  assert(last(3, a) == 2);
  return 0;
}
