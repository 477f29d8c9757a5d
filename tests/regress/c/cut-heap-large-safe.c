// expect: safe
// More than a megabyte, of a size that is not a constant.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 2000000 || n > 2000010)
    return 0;
  char *p = malloc(n);
  if (!p)
    return 0;
  p[1999999] = 1;
  assert(p[1999999] == 1);
  return 0;
}
