// expect: unknown [options: --undefined refuse] [judge: none]
// No guess about it.
#include <assert.h>

int f(void);
int main(void) {
  f();
  assert(1);
  return 0;
}
