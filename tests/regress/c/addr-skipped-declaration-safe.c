// expect: safe [judge: none]
// A jump over an initialiser leaves any value.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int())
    goto inside;
  {
    int x = 5;
  inside:
    x = 5;
    assert(x == 5);
  }
  return 0;
}
