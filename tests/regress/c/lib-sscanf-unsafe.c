// expect: unsafe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 0;
  int n = sscanf("17", "%d", &x);
  assert(n == 1 && x == 0);
  return 0;
}
