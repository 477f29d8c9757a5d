// expect: unsafe, must
// Of a row.
#include <assert.h>

static int m[2][3];
int main(void) {
  int *end = &m[0][3];
  int n = 0;
  for (int *p = m[0]; p != end; p++)
    n++;
  assert(n == 6);
  return 0;
}
