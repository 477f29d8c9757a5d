// expect: unsafe
// The length is not a constant.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
struct s {
  unsigned n;
  unsigned a[];
};
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  struct s *s = malloc(sizeof *s + n * sizeof(unsigned));
  if (!s)
    return 0;
  s->n = n;
  for (unsigned i = 0; i < n; i++)
    s->a[i] = i;
  assert(s->a[s->n] == n - 1);
  return 0;
}
