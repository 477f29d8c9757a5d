// EXPECT: safe
// COND: a mutex that is locked and unlocked under the same condition; any number of threads.
// Origin: the thesis' program with conditionals among those with POSIX threads (Kaiser, Kroening and Wahl, Efficient coverability
// analysis by proof minimization, 2012).
// A routine serves callers that hold the lock already and such that do not; only for the latter it takes the lock itself, and
// gives it back if it took it.
// Asserted: two variables equal each other: how often the lock was taken and how often it was given back.
// Twin: the condition is asked for again before the lock is given back, and may have changed.
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
