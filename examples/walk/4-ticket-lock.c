// EXPECT: safe
// A lock like the counter of a shop: each thread draws a ticket, and waits until its number is served. Any number of threads take
// it once. After the last number no ticket is drawn, for 2^32 customers would share numbers.
// Asserted: nobody else is being served.
#include "../thesis/verifier.h"
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next; // the next ticket
static atomic_uint serving; // the number that is served
static _Bool busy;

static unsigned draw(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(atomic_load(&next) != UINT_MAX);
  unsigned number = atomic_fetch_add(&next, 1);
  __VERIFIER_atomic_end();
  return number;
}

static void *customer(void *unused) {
  (void)unused;
  unsigned ticket = draw();
  while (atomic_load(&serving) != ticket) {
  }
  assert(!busy);
  busy = 1;
  busy = 0;
  atomic_fetch_add(&serving, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, customer, 0);
  return 0;
}
