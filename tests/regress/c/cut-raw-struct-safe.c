// expect: safe, must
// A structure in raw bytes beside one with a type.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
struct s {
  char a;
  int b;
};
static struct s one = {1, 2};
int main(void) {
  char *raw = malloc(sizeof(struct s));
  memset(raw, 0, sizeof(struct s));
  struct s *p = __VERIFIER_nondet_int() ? &one : (struct s *)raw;
  p->b += 3;
  assert(p->b == 5 || p->b == 3);
  return 0;
}
