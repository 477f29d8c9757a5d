// EXPECT: safe
// MAXOPT-L: any number of threads look for the maximum of an array, with a lock, optimised.
// Origin: text books on concurrency; table 7 of the thesis gives it 3 shared variables and 4 local ones. Optimised: a thread
// looks for the maximum of its own elements, and takes the lock once, at the end.
// Asserted: no element is larger than its thread's maximum, and that not larger than the shared one.
// The twin 05-maxopt-l-bug.c starts from the shared maximum and so believes that it need not compare at the end.
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
  int mine = INT_MIN;
  for (unsigned i = first; i < SIZE; i += STRIDE) {
    int element = storage[i];
    if (element > mine)
      mine = element;
    assert(element <= mine);
  }
  pthread_mutex_lock(&mutex);
  if (mine > maximum)
    maximum = mine;
  pthread_mutex_unlock(&mutex);
  assert(mine <= maximum);
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
