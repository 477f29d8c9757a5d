// expect: unsafe, must [options: --memory-safety-check]
// On the way out of an error.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  if (__VERIFIER_nondet_int()) {
    p = 0;
    return 1;
  }
  free(p);
  return 0;
}
