// expect: safe, must [options: --memory-safety-check --objects-per-site 1] [judge: none]
// A pointer to freed memory is one, although the only object that is modelled is used again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *dead = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n && i < 2; i++) {
    int *o = malloc(sizeof(int));
    if (i == 0) {
      dead = o;
      free(o);
    } else {
      *o = 7;
      *o = 1;
      free(o);
    }
  }
  return 0;
}
