// expect: unsafe [judge: none]
// A word of another verifier that changes memory is not taken for a function without effect.
#include <assert.h>

extern void __CPROVER_havoc_object(void *);
static int number;

int main(void) {
  __CPROVER_havoc_object(&number);
  assert(number == 0);
  return 0;
}
