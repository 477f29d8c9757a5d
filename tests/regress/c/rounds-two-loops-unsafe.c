// expect: unsafe, must
// Loops that follow each other, of which one is left for a copy of the other.
#include <assert.h>

static int sum(int n) {
  int s = 0, k = 0;
again:;
  int a[n];
  for (int i = 0; i < n; i++) {
    a[i] = i + k;
  }
  for (int i = 0; i < n; i++) {
    s += a[i];
  }
  if (++k < 3) {
    goto again;
  }
  return s;
}
int main(void) {
  assert(sum(3) == 17);
  return 0;
}
