// expect: safe, must [options: --strict --memory-safety-check] [judge: none]
// Space of a call that has returned, of a size that is not constant.
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);

static int *fill(int n, int *given) {
  int *p = alloca(n * sizeof(int));
  p[n - 1] = 1;
  return given;
}
int main(void) {
  int x = 1, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) {
    return 0;
  }
  return *fill(n, &x) == 9;
}
