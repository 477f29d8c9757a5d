// EXPECT: unsafe
// COND, buggy twin of 34-cond.c: a mutex that is locked and unlocked under a condition; any number of threads.
// The mistake: the condition is asked for again before the lock is given back, and may have changed. The lock is kept, or a lock is
// given back that was never taken.
// Asserted: how often the lock was taken equals how often it was given back, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
  (void)unused;
  _Bool needs_lock = __VERIFIER_nondet_bool();
  int taken = 0;
  int given_back = 0;
  if (needs_lock) {
    pthread_mutex_lock(&mutex);
    taken++;
  }
  needs_lock = __VERIFIER_nondet_bool();
  if (needs_lock) {
    pthread_mutex_unlock(&mutex);
    given_back++;
  }
  assert(taken == given_back);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
