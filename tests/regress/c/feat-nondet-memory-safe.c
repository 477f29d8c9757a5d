// expect: safe, must [judge: none]
// Only the object has any content.
#include <assert.h>

enum color { RED, GREEN, BLUE };
extern void __VERIFIER_nondet_memory(void *, unsigned long);

int main(void) {
  enum color color = RED;
  int other = 5;
  __VERIFIER_nondet_memory(&color, sizeof color);
  assert(other == 5);
  return 0;
}
