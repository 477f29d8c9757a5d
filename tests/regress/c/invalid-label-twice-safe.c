// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 0;
a:
  x++;
b:
  if (x < 2)
    goto a;
  assert(x == 2);
  return 0;
}
