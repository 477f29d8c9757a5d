// expect: safe [judge: none]
// Own function, or that of another file.
#include <assert.h>

extern int (*hook)(void);
extern int __VERIFIER_nondet_int(void);
static int one(void) { return 1; }
int main(void) {
  int (*f)(void) = __VERIFIER_nondet_int() ? one : hook;
  int r = f();
  assert(f != one || r == 1);
  return 0;
}
