// expect: safe
// Part of a structure.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
struct s {
  int a, b;
};
int main(void) {
  struct s x = {1, 2}, y = {0, 0};
  unsigned n = __VERIFIER_nondet_uint();
  if (n != 4 && n != 8)
    return 0;
  memcpy(&y, &x, n);
  assert(y.a == 1 && (y.b == 2 || n == 4));
  return 0;
}
