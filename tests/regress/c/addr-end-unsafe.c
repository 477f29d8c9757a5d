// expect: unsafe
// The address behind the last element is one; the element is not.
#include <assert.h>

static int a[3];
int main(void) {
  int *end = &a[3];
  int n = 0;
  for (int *p = a; p <= end; p++)
    n += *p;
  assert(n == 0);
  return 0;
}
