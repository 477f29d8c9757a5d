// EXPECT: safe
// OPTIONS: --max-live-threads 2^15
// Ticket lock in one 32-bit word: the ticket that is served in the low half, the next ticket in the high half.
// Source: the x86 ticket spin lock of Linux 2.6.25 (Piggin, 2008; described by Corbet, "Ticket spinlocks", LWN 2008).
// Asserted: only one thread is inside. With 2^16 waiting threads two of them would have the same ticket.
// The twin ticket-halves-bug.c releases the lock with a store of the whole word.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define NEXT_ONE 0x10000u

// On a machine that stores the low half first.
union ticket_lock {
  uint32_t word;
  struct {
    uint16_t serving;
    uint16_t next;
  } half;
};

static union ticket_lock lock;
static int inside;

static void acquire(union ticket_lock *l) {
  uint32_t old = __atomic_fetch_add(&l->word, NEXT_ONE, __ATOMIC_SEQ_CST);
  uint16_t mine = old >> 16;
  while (__atomic_load_n(&l->half.serving, __ATOMIC_ACQUIRE) != mine) {
  }
}

// Adds to the low half alone: a carry must not get into the high one.
static void release(union ticket_lock *l) {
  __atomic_fetch_add(&l->half.serving, 1, __ATOMIC_RELEASE);
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
