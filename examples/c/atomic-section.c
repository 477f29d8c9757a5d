// EXPECT: safe
// Atomic sections keep two variables equal; who looks at both in one step cannot see them differ. With any number of threads.
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
  __CPROVER_atomic_begin();
  assert(left == right);
  __CPROVER_atomic_end();
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
