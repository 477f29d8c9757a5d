// expect: unsafe, must
// The length of a parameter speaks of another parameter.
#include <assert.h>

static int sum(int n, int a[n]) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
  }
  return s;
}

int main(void) {
  int b[3] = {1, 2, 3};
  assert(sum(3, b) == 7);
  return 0;
}
