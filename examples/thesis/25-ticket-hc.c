// EXPECT: safe
// TICKET-HC: the ticket lock for high contention, with proportional back-off; any number of threads take it again and again.
// Origin: Mellor-Crummey and Scott, Algorithms for scalable synchronization on shared-memory multiprocessors (1991).
// Who waits looks the less often the more tickets are to be served before. Each thread takes the lock in an infinite loop, so
// that no proof can do without comparing the tickets of two threads. As in 19-ticket.c no ticket is drawn after the last
// number, because 2^32 waiting threads would break the lock.
// Asserted: mutual exclusion; `c` says that somebody is between lock and unlock, and is never found set by who comes in.
// Twin: a short cut for the free lock looks and draws a ticket in two steps.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_uint s; // the ticket that is served
static atomic_uint t; // the next free ticket
static _Bool c;

// Waits for so many nanoseconds.
static void back_off(unsigned nanoseconds) {
  struct timespec pause = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&pause, 0);
}

static unsigned draw_ticket(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(atomic_load(&t) != UINT_MAX);
  unsigned ticket = atomic_fetch_add(&t, 1);
  __VERIFIER_atomic_end();
  return ticket;
}

static void spin_lock(void) {
  unsigned m = draw_ticket();
  do
    back_off(m - atomic_load(&s));
  while (atomic_load(&s) != m);
}

static void spin_unlock(void) { atomic_fetch_add(&s, 1); }

static void *thread(void *unused) {
  (void)unused;
  for (;;) {
    spin_lock();
    assert(!c);
    c = 1;
    c = 0;
    spin_unlock();
  }
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
