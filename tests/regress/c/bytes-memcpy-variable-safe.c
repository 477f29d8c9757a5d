// expect: safe
// A size that is not a constant.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  char a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {0};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 8)
    return 0;
  memcpy(b, a, n);
  if (n >= 3)
    assert(b[2] == 3);
  if (n < 3)
    assert(b[2] == 0);
  return 0;
}
