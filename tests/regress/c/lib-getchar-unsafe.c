// expect: unsafe [judge: none]
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  assert(c >= -1 && c <= 127);
  return 0;
}
