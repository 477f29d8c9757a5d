// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 0;
  if (x)
    goto nowhere;
  x = 1;
out:
  assert(x == 1);
  return 0;
}
