// EXPECT: safe
// The ticket lock of section 3 of the thesis with any number of threads. Tickets differ only as long as they do not wrap around, so the
// program assumes that they do not: without the assumption 2^32 waiting threads would break it. See ticket-lock-overflow.c.
#include <assert.h>
#include "verifier.h"

static unsigned next_ticket, now_serving;
static unsigned inside;

static void lock(void) {
  unsigned ticket;
  __CPROVER_atomic_begin();
  __CPROVER_assume(next_ticket != 4294967295u);
  ticket = next_ticket;
  next_ticket = ticket + 1;
  __CPROVER_atomic_end();
  while (now_serving != ticket) {
  }
}

static void unlock(void) {
  now_serving = now_serving + 1;
}

static void thread(void) {
  lock();
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  unlock();
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
  __CPROVER_ASYNC_1:
    thread();
  }
  return 0;
}
