// expect: safe, must [judge: none]
// The address of a label in a variable.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int choice = __VERIFIER_nondet_int();
  void *place = choice ? &&one : &&two;
  int x;
  goto *place;
one:
  x = 1;
  goto end;
two:
  x = 2;
end:
  assert(x == (choice ? 1 : 2));
  return 0;
}
