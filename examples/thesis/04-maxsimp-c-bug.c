// EXPECT: unsafe
// MAXSIMP-C, buggy twin of 04-maxsimp-c.c.
// The mistake: an atomic store where compare-and-swap is needed: the load and the store are atomic, the two together are
// not.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 3
#define STRIDE 2

static int storage[SIZE];
static atomic_int maximum = INT_MIN;

// Every second element from `first` on.
static void find_maximum(unsigned first) {
  for (unsigned i = first; i < SIZE; i += STRIDE) {
    int element = storage[i];
    int found = atomic_load(&maximum);
    if (element > found)
      atomic_store(&maximum, element);
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
