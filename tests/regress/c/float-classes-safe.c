// expect: safe, must
// What kind a number is, and comparisons that do not mind numbers that are none.
#include <assert.h>
#include <math.h>

static int kinds(double x) {
  return 100000 * !!isnan(x) + 10000 * !!isinf(x) + 1000 * !!isfinite(x) + 100 * !!isnormal(x) + 10 * !!signbit(x) +
         (fpclassify(x) == FP_SUBNORMAL) + 2 * (fpclassify(x) == FP_ZERO);
}
int main(void) {
  volatile double zero = 0, one = 1;
  double inf = one / zero;
  assert(kinds(NAN) / 10000 == 10 && kinds(NAN) % 10 == 0);
  assert(kinds(inf) == 10000 && kinds(-inf) == 10010);
  assert(kinds(1.5) == 1100 && kinds(-1.5) == 1110);
  assert(kinds(0) == 1002 && kinds(-zero) == 1012);
  assert(kinds(4.9e-324) == 1001);
  assert(isinf(-inf) == -1 && isinf(INFINITY) == 1 && HUGE_VAL == inf);
  assert(fpclassify(1e-40f) == FP_SUBNORMAL && fpclassify(1e-40) == FP_NORMAL);
  assert(isless(1.0, 2.0f) && !isless(NAN, 1.0) && !isgreater(NAN, 1.0) && isunordered(1.0, NAN));
  assert(islessequal(1.0, 1.0) && isgreaterequal(-zero, 0.0) && islessgreater(1.0, 2.0));
  return 0;
}
