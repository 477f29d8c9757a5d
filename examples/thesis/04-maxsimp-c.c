// EXPECT: safe
// MAXSIMP-C: any number of threads look for the maximum of an array, with compare-and-swap.
// Origin: text books on concurrency; table 7 of the thesis gives it 2 shared variables and 5 local ones. As 03-maxsimp-l.c, but
// a thread replaces the maximum that it has compared with, and tries again if there is another one by then.
// Asserted: no element that was looked at is larger than the maximum.
// The twin 04-maxsimp-c-bug.c stores without a look at what is there by then.
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
    int found = maximum;
    while (element > found && !atomic_compare_exchange_strong(&maximum, &found, element)) {
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
