// EXPECT: unsafe
// TICKET-HC, buggy twin of 25-ticket-hc.c: the ticket lock with proportional back-off, taken in infinite loops.
// The mistake: a short cut for the lock that nobody has. Whether it is free is seen in one step and the ticket is drawn in
// another: two threads may see it free, and the second one does not wait for its ticket.
// Asserted: mutual exclusion, as in the correct program.
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
  if (atomic_load(&s) == atomic_load(&t)) {
    draw_ticket();
    return;
  }
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
