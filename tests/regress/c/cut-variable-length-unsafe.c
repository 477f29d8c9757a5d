// expect: unsafe
// An array whose length is known when it is made.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 5)
    return 0;
  int a[n];
  a[n] = 1;
  assert(sizeof a == n * sizeof(int));
  return 0;
}
