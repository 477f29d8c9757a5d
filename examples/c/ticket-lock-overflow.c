// EXPECT: unsafe
// A ticket lock whose tickets are 0, 1, 0, 1, ...: the third thread has the ticket of the first, and both get in.
#include <assert.h>
#include "verifier.h"

static unsigned next_ticket, now_serving;
static unsigned inside;

static void lock(void) {
  unsigned ticket;
  __CPROVER_atomic_begin();
  ticket = next_ticket;
  next_ticket = (ticket + 1) % 2;
  __CPROVER_atomic_end();
  while (now_serving != ticket) {
  }
}

static void unlock(void) {
  now_serving = (now_serving + 1) % 2;
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
