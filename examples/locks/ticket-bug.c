// EXPECT: unsafe
// Ticket lock, buggy twin of ticket.c.
// The mistake: the ticket is drawn in two steps, so that two threads may draw the same one.
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
  unsigned mine = atomic_load_explicit(&l->next, memory_order_relaxed);
  atomic_store_explicit(&l->next, mine + 1, memory_order_relaxed);
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
