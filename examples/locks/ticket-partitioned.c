// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Partitioned ticket lock: tickets are served in several slots, so that few threads spin on the same word.
// Source: Dice, "Brief announcement: a partitioned ticket lock" (SPAA 2011).
// Asserted: only one thread is inside. With 2^32 waiting threads two of them would have the same ticket.
// The twin ticket-partitioned-bug.c keeps only the number of the slot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_uint next_ticket;
// A slot serves the tickets that leave its number as the remainder. The first ticket is 0.
static atomic_uint serving[SLOTS];
static int inside;

static unsigned acquire(void) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
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
