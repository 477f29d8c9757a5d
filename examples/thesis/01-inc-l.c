// EXPECT: safe
// INC-L: a counter that any number of threads increase, with a lock.
// Origin: text books on concurrency; table 7 of the thesis gives it 2 shared variables and 1 local one.
// Asserted: a call strictly increases the counter. It also holds after the lock was released, as the counter stops at the
// largest number and so never decreases.
// The twin 01-inc-l-bug.c reads the counter before it takes the lock.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// Written under the mutex, read by anybody.
static atomic_uint value;

// The new value, or 0 if the counter is at its end.
static unsigned increase(void) {
  pthread_mutex_lock(&mutex);
  unsigned old = value;
  if (old == UINT_MAX) {
    pthread_mutex_unlock(&mutex);
    return 0;
  }
  value = old + 1;
  pthread_mutex_unlock(&mutex);
  assert(value > old);
  return old + 1;
}

static void *worker(void *unused) {
  (void)unused;
  increase();
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}
