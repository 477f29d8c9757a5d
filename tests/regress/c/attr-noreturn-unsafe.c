// expect: unsafe [judge: none]
// A function that does not return.
#include <assert.h>

void fatal(const char *why) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0)
    fatal("negative");
  assert(x > 0);
  return 0;
}
