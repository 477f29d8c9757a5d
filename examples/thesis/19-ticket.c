// EXPECT: safe
// TICKET: the ticket lock, each of any number of threads takes it once.
// Origin: the ticket algorithm of the thesis (figure 5), after Andrews; Linux' spin lock from 2008 on.
// Threads draw numbered tickets and are served in the order of the numbers. Tickets differ only as long as they do not wrap
// around: 2^32 waiting threads would break the lock, so no ticket is drawn after the last number.
// Asserted: mutual exclusion; `c` says that somebody is between lock and unlock, and is never found set by who comes in.
// Twin: the ticket is read and the next one is made in two steps.
#include "verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint s = 1; // the ticket that is served
static atomic_uint t = 1; // the next free ticket
static _Bool c;

static unsigned draw_ticket(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(atomic_load(&t) != UINT_MAX);
  unsigned ticket = atomic_fetch_add(&t, 1);
  __VERIFIER_atomic_end();
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
