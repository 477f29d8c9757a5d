// expect: unsafe
// What follows a large request is reached.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4000000 + 1;
  char *p = malloc(n);
  if (!p)
    return 0;
  if (n > 1500000)
    assert(n <= 2000000);
  return 0;
}
