// EXPECT: safe
// CV-VAR: a thread sets a local flag of all other threads; any number of threads.
// Origin: figure 29 of the thesis, the pattern of a condition variable: `l` says that this thread has been broadcast to.
// Asserted: who has been broadcast to finds the condition, `s`, because it is set before anybody is told.
// Twin: the broadcast comes before the condition.
#include "verifier.h"
#include <assert.h>

static _Bool s;
static _Thread_local _Bool l;

static void thread(void) {
  assert(!l || s);
  s = 1;
__CPROVER_passive_broadcast:
  l = 1;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
  __CPROVER_ASYNC_1:
    thread();
  }
  return 0;
}
