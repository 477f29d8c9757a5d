// expect: unsafe, must
// As many bytes as are asked for.
#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  char a[4] = "abc", b[4] = "abd";
  unsigned n = __VERIFIER_nondet_uint() % 4;
  int r = memcmp(a, b, n);
  assert((r == 0) == (n < 2));
  return 0;
}
