// EXPECT: unsafe
// INC-L, buggy twin of 01-inc-l.c.
// The mistake: the counter is read, and its end tested, before the lock is taken, to keep the section short. A slow thread then
// writes a number that is too small, and a thread that has just increased the counter finds it not larger.
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
  unsigned old = value;
  if (old == UINT_MAX)
    return 0;
  pthread_mutex_lock(&mutex);
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
