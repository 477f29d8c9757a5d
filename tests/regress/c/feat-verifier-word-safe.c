// expect: safe, must [judge: none]
// Likewise, and what it says about a part of memory is about no other part.
#include <assert.h>

extern void __CPROVER_havoc_slice(void *, unsigned long);
static int numbers[2];

int main(void) {
  __CPROVER_havoc_slice(&numbers[1], sizeof numbers[1]);
  assert(numbers[0] == 0);
  return 0;
}
