// expect: unsafe, must
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 1;
  printf("%d %s\n", x, "text");
  assert(x == 2);
  return 0;
}
