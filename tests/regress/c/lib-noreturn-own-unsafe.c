// expect: unsafe
// Own functions with the keyword.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static _Noreturn void stop(void) { exit(1); }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < -1)
    stop();
  assert(x >= 0);
  return 0;
}
