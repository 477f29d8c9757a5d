// expect: safe [options: --undefined all] [judge: none]
// Not what it cannot reach.
#include <assert.h>

void f(int *p);
int main(void) {
  int x = 1, y = 1;
  f(&y);
  assert(x == 1);
  return 0;
}
