// expect: unsafe [judge: none]
// The same by the keyword.
#include <assert.h>

_Noreturn void fatal(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    fatal();
  assert(x > 0);
  return 0;
}
