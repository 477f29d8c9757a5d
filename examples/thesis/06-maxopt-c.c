// EXPECT: safe
// MAXOPT-C: any number of threads look for the maximum of an array, with compare-and-swap, optimised.
// Origin: text books on concurrency; table 7 of the thesis gives it 2 shared variables and 6 local ones. As 05-maxopt-l.c, but
// the shared maximum is replaced by compare-and-swap, and compared again whenever that fails.
// Asserted: no element is larger than its thread's maximum, and that not larger than the shared one.
// The twin 06-maxopt-c-bug.c does not compare again when it tries again.
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
  while (mine > found) {
    if (atomic_compare_exchange_strong(&maximum, &found, mine))
      break;
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
