// EXPECT: unsafe
// CV-VAR, buggy twin of 29-cv-var.c: a thread sets a local flag of all other threads; any number of threads.
// The mistake: wrong order, the others are told before the condition that they are told about is set.
// Asserted: who has been broadcast to finds the condition, as in the correct program.
#include "verifier.h"
#include <assert.h>

static _Bool s;
static _Thread_local _Bool l;

static void thread(void) {
  assert(!l || s);
__CPROVER_passive_broadcast:
  l = 1;
  s = 1;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
  __CPROVER_ASYNC_1:
    thread();
  }
  return 0;
}
