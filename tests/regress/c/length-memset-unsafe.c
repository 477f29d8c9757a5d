// expect: unsafe, must [options: --memory-safety-check]
// An array whose length is not constant ends there for the library, too.
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) {
    return 0;
  }
  char a[n];
  memset(a, 0, n + 1);
  return 0;
}
