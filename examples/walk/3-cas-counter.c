// EXPECT: safe
// The counter without a lock: a thread writes the next number only if nobody has written since it read, and tries again
// otherwise. After the last number nobody counts, so that the counter never begins anew.
// Asserted: when a thread has counted, the number is at least what it wrote; others may have counted since.
#include "../thesis/verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counter;

static void *count(void *unused) {
  (void)unused;
  unsigned seen, next;
  do {
    seen = atomic_load(&counter);
    __VERIFIER_assume(seen != UINT_MAX);
    next = seen + 1;
  } while (!atomic_compare_exchange_strong(&counter, &seen, next));
  assert(atomic_load(&counter) >= next);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, count, 0);
  return 0;
}
