// EXPECT: unsafe
// The others are told before the value is there. Three threads are enough: main, one that publishes, one that uses.
#include <assert.h>
#include "verifier.h"

static int value;
static _Thread_local _Bool told;

static void publish(void) {
__CPROVER_passive_broadcast:
  told = 1;
  value = 42;
}

static void use(void) {
  if (told)
    assert(value == 42);
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
    __CPROVER_ASYNC_1:
      publish();
    } else {
    __CPROVER_ASYNC_2:
      use();
    }
  }
  return 0;
}
