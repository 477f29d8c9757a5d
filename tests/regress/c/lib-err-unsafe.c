// expect: unsafe
// A function of the library that ends the program.
#include <assert.h>
#include <err.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 3)
    warnx("three");
  assert(x != 3);
  return 0;
}
