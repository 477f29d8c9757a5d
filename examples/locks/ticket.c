// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Ticket lock: draw the next ticket, wait until it is served. Tickets are 32 bits wide and wrap around.
// Source: the sequencer of Reed and Kanodia (CACM 1979), as a lock in Mellor-Crummey and Scott (TOCS 1991); Linux had it on x86 from 2008.
// Asserted: only one thread is inside. With 2^32 waiting threads two of them would have the same ticket.
// The twin ticket-bug.c draws the ticket in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct ticket_lock {
  atomic_uint next;
  atomic_uint serving;
};

static struct ticket_lock lock;
static int inside;

static void acquire(struct ticket_lock *l) {
  unsigned mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->serving, memory_order_acquire) != mine) {
  }
}

// Only the holder writes serving, so that a load and a store will do.
static void release(struct ticket_lock *l) {
  unsigned mine = atomic_load_explicit(&l->serving, memory_order_relaxed);
  atomic_store_explicit(&l->serving, mine + 1, memory_order_release);
}

static void *worker(void *unused) {
  (void)unused;
  acquire(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  release(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
