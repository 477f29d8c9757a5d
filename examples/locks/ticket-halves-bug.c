// EXPECT: unsafe
// Ticket lock in one 32-bit word, buggy twin of ticket-halves.c.
// The mistake: the lock is released with a load and a store of the whole word. A ticket that is drawn in between is drawn again later.
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
  uint32_t old = __atomic_load_n(&l->word, __ATOMIC_RELAXED);
  __atomic_store_n(&l->word, (old & 0xffff0000u) | ((old + 1) & 0xffffu), __ATOMIC_RELEASE);
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
