// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Ticket lock with proportional back-off: a thread pauses the longer the more threads are before it.
// Source: Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors" (TOCS 1991).
// Asserted: only one thread is inside. With 2^32 waiting threads two of them would have the same ticket.
// The twin ticket-backoff-bug.c goes in when there is one thread before it.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int inside;

static void pause_for(unsigned threads) {
  while (threads > 0) {
    sched_yield();
    threads--;
  }
}

static void acquire(void) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  for (;;) {
    unsigned before_me = mine - atomic_load(&now_serving);
    if (before_me == 0)
      return;
    pause_for(before_me);
  }
}

static void release(void) {
  atomic_fetch_add(&now_serving, 1);
}

static void *worker(void *unused) {
  (void)unused;
  acquire();
  inside++;
  assert(inside == 1);
  inside--;
  release();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
