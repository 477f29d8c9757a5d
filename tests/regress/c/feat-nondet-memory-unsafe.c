// expect: unsafe, must [judge: none]
// The object has any content, also what is no enumerator. Once the call was taken for one without effect.
#include <assert.h>

enum color { RED, GREEN, BLUE };
extern void __VERIFIER_nondet_memory(void *, unsigned long);

int main(void) {
  enum color color = RED;
  int other = 5;
  __VERIFIER_nondet_memory(&color, sizeof color);
  assert(color == RED || color == GREEN || color == BLUE);
  assert(other == 5);
  return 0;
}
