// EXPECT: safe
// Test-and-set lock with exponential back-off: after each failure the thread pauses twice as long, up to a limit.
// Source: Anderson, "The performance of spin lock alternatives for shared-memory multiprocessors" (TPDS 1990).
// Asserted: only one thread is inside.
// The twin tas-backoff-bug.c stops trying when the pause has become too long, as if it had the lock.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define LONGEST 8

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int inside;

static void acquire(void) {
  unsigned pause = 1;
  while (atomic_flag_test_and_set(&taken)) {
    for (unsigned i = 0; i < pause; i++)
      sched_yield();
    if (pause < LONGEST)
      pause *= 2;
  }
}

static void release(void) {
  atomic_flag_clear(&taken);
}

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    acquire();
    inside++;
    assert(inside == 1);
    inside--;
    release();
  }
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
