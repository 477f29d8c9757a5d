// EXPECT: safe
// Broadcasts of section 3.4 of the thesis: whoever was told that the value is published finds it published, because it was before
// anybody was told. With any number of threads.
#include <assert.h>
#include "verifier.h"

static int value;
static _Thread_local _Bool told;

static void publish(void) {
  value = 42;
__CPROVER_passive_broadcast:
  told = 1;
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
