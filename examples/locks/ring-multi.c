// EXPECT: safe
// OPTIONS: --max-live-threads 2^31
// Bounded ring for any number of producers and one consumer: each slot has a sequence number that says whose turn it is.
// Source: Vyukov, "Bounded MPMC queue" (1024cores.net, 2010), in the variant that reserves a place and waits for it.
// Asserted: producers find their slot empty, the consumer finds it full. With 2^32 waiting producers two would have the same place.
// The twin ring-multi-bug.c reserves its place in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2

struct slot {
  atomic_uint turn;
  bool full;
};

// The turn is the place in the sequence of all items while the slot is empty, and one more while it is full.
static struct slot ring[SLOTS] = {{0, false}, {1, false}};
static atomic_uint tail;

static void *producer(void *unused) {
  (void)unused;
  unsigned place = atomic_fetch_add(&tail, 1);
  struct slot *slot = &ring[place % SLOTS];
  while (atomic_load_explicit(&slot->turn, memory_order_acquire) != place) {
  }
  assert(!slot->full);
  slot->full = true;
  atomic_store_explicit(&slot->turn, place + 1, memory_order_release);
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  for (unsigned place = 0;; place++) {
    struct slot *slot = &ring[place % SLOTS];
    while (atomic_load_explicit(&slot->turn, memory_order_acquire) != place + 1) {
    }
    assert(slot->full);
    slot->full = false;
    atomic_store_explicit(&slot->turn, place + SLOTS, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, consumer, 0);
  while (1)
    pthread_create(&t, 0, producer, 0);
}
