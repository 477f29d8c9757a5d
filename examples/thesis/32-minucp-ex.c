// EXPECT: safe
// MINUCP-EX: the running example for minimal uncoverability proofs; any number of threads.
// Origin: figure 15 of the thesis. Each of the three statements is one step. A thread turns 0 into 3, waits for 3, and turns it
// into 0 again; so `s` is 0 or 3, though the last statement would count 0 to 1 and 1 to 2 if it were ever reached with them.
// Asserted: the value 2 is never assigned to `s`.
// Twin: the first statement tests in one step and assigns in another.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static unsigned s; // 0 to 3

static void *thread(void *unused) {
  (void)unused;
first:
  __VERIFIER_atomic_begin();
  if (s != 0) {
    __VERIFIER_atomic_end();
    goto first;
  }
  s = 3;
  __VERIFIER_atomic_end();
second:
  __VERIFIER_atomic_begin();
  if (s != 3) {
    __VERIFIER_atomic_end();
    goto second;
  }
  __VERIFIER_atomic_end();
third:
  __VERIFIER_atomic_begin();
  if (s == 2) {
    __VERIFIER_atomic_end();
    goto third;
  }
  s = (s + 1) % 4;
  assert(s != 2);
  __VERIFIER_atomic_end();
  goto first;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
