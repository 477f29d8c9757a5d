// EXPECT: unsafe
// MAXOPT-C, buggy twin of 06-maxopt-c.c.
// The mistake: the comparison is outside the loop: when compare-and-swap fails it tries again with what it has found then,
// without a look at whether that is larger already.
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
  int mine = INT_MIN;
  for (unsigned i = first; i < SIZE; i += STRIDE) {
    int element = storage[i];
    if (element > mine)
      mine = element;
    assert(element <= mine);
  }
  int found = atomic_load(&maximum);
  if (mine > found) {
    while (!atomic_compare_exchange_strong(&maximum, &found, mine)) {
    }
  }
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
