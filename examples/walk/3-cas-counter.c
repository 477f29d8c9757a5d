// EXPECT: safe
// The counter without a lock: a thread writes the next number only if nobody has written since it read, and tries again
// otherwise. It stops at the last number, so that the counter never begins anew.
// Asserted: when a thread has counted, the number is larger than the one it read; others may have counted as well.
#include "../thesis/verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counter;

static void *count(void *unused) {
  (void)unused;
  unsigned seen = atomic_load(&counter);
  do {
    if (seen == UINT_MAX)
      return 0;
  } while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)); // a failure writes what it found to seen
  assert(atomic_load(&counter) > seen);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, count, 0);
  return 0;
}
