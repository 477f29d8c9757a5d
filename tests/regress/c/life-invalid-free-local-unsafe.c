// expect: unsafe, must [options: --memory-safety-check]
// And only objects of the heap.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  int *p = malloc(4);
  int *q = &x;
  free(p);
  free(q);
  return 0;
}
