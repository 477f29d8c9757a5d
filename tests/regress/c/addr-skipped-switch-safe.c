// expect: safe [judge: none]
// A declaration in front of the first case.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    int x = 3;
  case 1:
    x = 3;
    assert(x == 3);
  }
  return 0;
}
