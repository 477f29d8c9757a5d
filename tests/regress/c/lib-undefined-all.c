// expect: unsafe [options: --undefined all] [judge: none]
// It may change all that it can reach.
#include <assert.h>

void f(void);
int x = 1;
int main(void) {
  f();
  assert(x == 1);
  return 0;
}
