// expect: unsafe, must
// What computes the length of a parameter is done in each call.
#include <assert.h>

int calls;
static int length(void) {
  calls++;
  return 2;
}
static int work(int n, int a[length()], int b[n = 5]) {
  return n;
}
int main(void) {
  assert(work(1, 0, 0) == 5);
  assert(calls == 0);
  return 0;
}
