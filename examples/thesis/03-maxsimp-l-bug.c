// EXPECT: unsafe
// MAXSIMP-L, buggy twin of 03-maxsimp-l.c.
// The mistake: the comparison is before the lock: only who has something larger takes it. Of two threads that do, the one with
// the smaller element may write last.
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
    if (element > maximum) {
      pthread_mutex_lock(&mutex);
      maximum = element;
      pthread_mutex_unlock(&mutex);
    }
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
