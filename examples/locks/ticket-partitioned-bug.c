// EXPECT: unsafe
// Partitioned ticket lock, buggy twin of ticket-partitioned.c.
// The mistake: only the number of the slot is kept of a ticket. The thread with ticket 2 takes slot 0 for its own while the one with
// ticket 0 is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_uint next_ticket;
// A slot serves the tickets that leave its number as the remainder. The first ticket is 0.
static atomic_uint serving[SLOTS];
static int inside;

static unsigned acquire(void) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1) % SLOTS;
  while (atomic_load(&serving[mine % SLOTS]) != mine) {
  }
  return mine;
}

static void release(unsigned mine) {
  unsigned next = mine + 1;
  atomic_store(&serving[next % SLOTS], next);
}

static void *worker(void *unused) {
  (void)unused;
  unsigned mine = acquire();
  inside++;
  assert(inside == 1);
  inside--;
  release(mine);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
