// EXPECT: safe
// MAXSIMP-L: any number of threads look for the maximum of an array, with a lock.
// Origin: text books on concurrency; table 7 of the thesis gives it 3 shared variables and 3 local ones. Simple: each element
// is compared with the shared maximum under the lock (05-maxopt-l.c does that once per thread).
// Asserted: no element that was looked at is larger than the maximum.
// The twin 03-maxsimp-l-bug.c compares before it takes the lock.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 3
#define STRIDE 2

static int storage[SIZE];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// Written under the mutex, read by anybody.
static atomic_int maximum = INT_MIN;

// Every second element from `first` on.
static void find_maximum(unsigned first) {
  for (unsigned i = first; i < SIZE; i += STRIDE) {
    int element = storage[i];
    pthread_mutex_lock(&mutex);
    if (element > maximum)
      maximum = element;
    pthread_mutex_unlock(&mutex);
    assert(element <= maximum);
  }
}

static void *worker(void *unused) {
  (void)unused;
  find_maximum(__VERIFIER_nondet_bool() ? 1 : 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  for (unsigned i = 0; i < SIZE; i++)
    storage[i] = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}
