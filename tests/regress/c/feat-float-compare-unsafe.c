// expect: unsafe, must [judge: none]
// What is not a number is not equal to itself, and -0 is 0.
#include <assert.h>

extern double __VERIFIER_nondet_double(void);

int main(void) {
  double d = __VERIFIER_nondet_double();
  int above = d > 1.0, below = d <= 1.0;
  assert(!(above && below));
  assert(d != d || above + below == 1);
  if (d > 2.0 || d != 3.0) {
    assert(above || below);
  }
  assert(-0.0 == 0.0);
  return 0;
}
