// EXPECT: safe
// INC-C: a counter that any number of threads increase, with compare-and-swap.
// Origin: text books on concurrency; table 7 of the thesis gives it 1 shared variable and 3 local ones.
// Asserted: a call strictly increases the counter, which stops at the largest number and so never decreases.
// The twin 02-inc-c-bug.c looks whether the counter is unchanged, and then stores.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint value;

// The new value, or 0 if the counter is at its end.
static unsigned increase(void) {
  unsigned old = atomic_load(&value);
  do {
    if (old == UINT_MAX)
      return 0;
  } while (!atomic_compare_exchange_strong(&value, &old, old + 1));
  assert(atomic_load(&value) > old);
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
