// expect: safe, must
// Direction and size are not constants.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned char a[4] = {1, 2, 3, 4};
  unsigned n = __VERIFIER_nondet_uint() % 4;
  memmove(a + 1, a, n);
  if (n == 3)
    assert(a[3] == 3);
  return 0;
}
