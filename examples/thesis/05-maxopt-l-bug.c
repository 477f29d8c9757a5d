// EXPECT: unsafe
// MAXOPT-L, buggy twin of 05-maxopt-l.c.
// The mistake: a thread starts from the shared maximum, so that its own can only be as large or larger, and writes it back
// without a comparison. Another thread may have written a larger one since.
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
  int mine = maximum;
  for (unsigned i = first; i < SIZE; i += STRIDE) {
    int element = storage[i];
    if (element > mine)
      mine = element;
    assert(element <= mine);
  }
  pthread_mutex_lock(&mutex);
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
