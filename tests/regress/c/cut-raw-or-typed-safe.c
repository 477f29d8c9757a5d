// expect: safe, must
// A pointer to raw bytes of the heap, or to a typed object.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
static int typed = 7;
int main(void) {
  int *p;
  if (__VERIFIER_nondet_int()) {
    p = &typed;
  } else {
    p = malloc(sizeof(int));
    memset(p, 0, sizeof(int));
  }
  assert(*p == 0 || *p == 7);
  int v = *p;
  assert(v != 1);
  return 0;
}
