// expect: safe, must
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 1;
  printf("%d %s\n", x, "text");
  assert(x == 1);
  return 0;
}
