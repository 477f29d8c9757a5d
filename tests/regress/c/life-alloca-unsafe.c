// expect: unsafe [options: --strict --memory-safety-check] [judge: none]
// Space of a call that has returned.
#include <alloca.h>

static int *f(int *given) {
  int *p = alloca(4);
  *p = 1;
  return p;
}
int main(void) {
  int x = 1;
  return *f(&x) == 9;
}
