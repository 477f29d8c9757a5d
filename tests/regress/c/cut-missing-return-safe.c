// expect: safe, must [judge: none]
// A function that ends without its value.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static int f(int x) {
  if (x > 0)
    return 1;
  return 0;
}
int main(void) {
  int r = f(__VERIFIER_nondet_int());
  assert(r == 1 || r == 0);
  return 0;
}
