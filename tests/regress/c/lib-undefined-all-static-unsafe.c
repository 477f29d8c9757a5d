// expect: unsafe [options: --undefined all] [judge: none]
// Not what it cannot reach.
#include <assert.h>

void f(int *p);
int main(void) {
  int x = 1, y = 1;
  f(&x);
  assert(x == 1);
  return 0;
}
