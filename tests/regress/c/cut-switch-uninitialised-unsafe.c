// expect: unsafe, must [judge: none]
// A local that only some paths assign.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  int s;
  switch (__VERIFIER_nondet_int()) {
  case 1:
    s = 0;
  case 2:;
  }
  assert(s == 0);
  return 0;
}
