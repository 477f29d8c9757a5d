// EXPECT: unsafe
// INC-C, buggy twin of 02-inc-c.c.
// The mistake: compare-and-swap is written by hand, as a comparison and a store: other threads can come between the two.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint value;

// The new value, or 0 if the counter is at its end.
static unsigned increase(void) {
  unsigned old;
  do {
    old = atomic_load(&value);
    if (old == UINT_MAX)
      return 0;
  } while (atomic_load(&value) != old);
  atomic_store(&value, old + 1);
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
