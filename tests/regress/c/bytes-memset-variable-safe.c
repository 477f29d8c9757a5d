// expect: safe
// A size and a value that are not constants.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int a[3] = {0};
  unsigned n = __VERIFIER_nondet_uint() % 13;
  memset(a, 0xff, n);
  if (n >= 8)
    assert(a[1] == -1);
  if (n == 5)
    assert(a[1] == 255);
  return 0;
}
