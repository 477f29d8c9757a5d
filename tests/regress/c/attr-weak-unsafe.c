// expect: unsafe [judge: gcc]
// A weak function without a definition has no address.
#include <assert.h>

void hook(void) __attribute__((weak));
int main(void) {
  int called = 0;
  if (hook)
    called = 1;
  if (!hook)
    assert(called == 1);
  return 0;
}
