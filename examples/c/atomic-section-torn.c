// EXPECT: unsafe
// The variables are changed in one step but read in two.
#include <assert.h>
#include "verifier.h"

static unsigned left, right;

static void change(void) {
  __CPROVER_atomic_begin();
  left++;
  right++;
  __CPROVER_atomic_end();
}

static void look(void) {
  unsigned seen = left;
  assert(seen == right);
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
    __CPROVER_ASYNC_1:
      change();
    } else {
    __CPROVER_ASYNC_2:
      look();
    }
  }
  return 0;
}
