// expect: safe, must [judge: none]
// Functions of the library on numbers, which are exact.
#include <assert.h>
#include <math.h>

extern double __VERIFIER_nondet_double(void);
int main(void) {
  assert(fabs(-2.5) == 2.5 && fabsf(-0.5f) == 0.5f && copysign(3.0, -1.0) == -3.0);
  assert(floor(-1.5) == -2.0 && ceil(-1.5) == -1.0 && trunc(-1.5) == -1.0 && round(-1.5) == -2.0);
  assert(floor(1e300) == 1e300 && ceil(0.1) == 1.0 && floorf(2.75f) == 2.0f);
  assert(round(0.49999999999999994) == 0.0 && round(0.5) == 1.0 && round(2.5) == 3.0);
  assert(rint(0.5) == 0.0 && rint(1.5) == 2.0 && rint(2.5) == 2.0 && nearbyint(-3.5) == -4.0);
  assert(signbit(ceil(-0.5)) && signbit(sqrt(-0.0)) && !signbit(fabs(-0.0)));
  assert(fmax(1.0, NAN) == 1.0 && fmin(NAN, -1.0) == -1.0 && fmax(1.0, 2.0) == 2.0 && isnan(fmin(NAN, NAN)));
  assert(sqrt(2.0) == 1.4142135623730951 && sqrt(9.0) == 3.0 && sqrtf(2.0f) == 1.4142135f && isnan(sqrt(-1.0)));
  assert(sqrt(4.9e-324) == 2.2227587494850775e-162);
  double x = __VERIFIER_nondet_double();
  if (x >= -100.0 && x <= 100.0) {
    double whole = floor(x);
    assert(whole <= x && x - whole <= 1.0 && whole == (int)whole);
    assert(fabs(x) >= 0.0 && fmax(x, 3.0) >= x);
  }
  return 0;
}
