// EXPECT: unsafe
// MINUCP-EX, buggy twin of 32-minucp-ex.c: three atomic statements turn 0 into 3 and back; any number of threads.
// The mistake: the first statement tests in one step and assigns in another. Three threads may get to the last statement
// together, and count 3 to 0, 1 and 2.
// Asserted: the value 2 is never assigned to `s`, as in the correct program.
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
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
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
