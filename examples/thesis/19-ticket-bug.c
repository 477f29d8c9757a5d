// EXPECT: unsafe
// TICKET, buggy twin of 19-ticket.c: each of any number of threads takes a ticket lock once.
// The mistake: the next free ticket is loaded and stored in two steps instead of by one fetch-and-add, so that two threads may
// draw the same ticket and are served together.
// Asserted: mutual exclusion, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint s = 1; // the ticket that is served
static atomic_uint t = 1; // the next free ticket
static _Bool c;

static unsigned draw_ticket(void) {
  unsigned ticket = atomic_load(&t);
  __VERIFIER_assume(ticket != UINT_MAX);
  atomic_store(&t, ticket + 1);
  return ticket;
}

static void spin_lock(void) {
  unsigned m = draw_ticket();
  while (atomic_load(&s) != m) {
  }
}

static void spin_unlock(void) { atomic_fetch_add(&s, 1); }

static void *thread(void *unused) {
  (void)unused;
  spin_lock();
  assert(!c);
  c = 1;
  c = 0;
  spin_unlock();
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
