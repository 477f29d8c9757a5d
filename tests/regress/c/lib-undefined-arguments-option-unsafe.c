// expect: unsafe [options: --undefined arguments] [judge: none]
// It may write through its arguments.
#include <assert.h>

void f(int *p);
static int x = 1, y = 1;
int main(void) {
  f(&x);
  assert(x == 1);
  return 0;
}
