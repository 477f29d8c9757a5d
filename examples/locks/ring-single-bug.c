// EXPECT: unsafe
// Bounded ring for one producer and one consumer, buggy twin of ring-single.c.
// The mistake: the index is moved before the item is written. The consumer may read what was there before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 3
// Items are numbered up to this, and again.
#define NUMBERS 5

static unsigned ring[SLOTS];
static atomic_uint head, tail;

static void send(unsigned item) {
  unsigned mine = atomic_load_explicit(&tail, memory_order_relaxed);
  unsigned next = (mine + 1) % SLOTS;
  while (next == atomic_load_explicit(&head, memory_order_acquire)) {
  }
  atomic_store_explicit(&tail, next, memory_order_release);
  ring[mine] = item;
}

static unsigned receive(void) {
  unsigned mine = atomic_load_explicit(&head, memory_order_relaxed);
  while (mine == atomic_load_explicit(&tail, memory_order_acquire)) {
  }
  unsigned item = ring[mine];
  atomic_store_explicit(&head, (mine + 1) % SLOTS, memory_order_release);
  return item;
}

static void *producer(void *unused) {
  (void)unused;
  for (unsigned item = 0;; item = (item + 1) % NUMBERS)
    send(item);
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  for (unsigned expected = 0;; expected = (expected + 1) % NUMBERS)
    assert(receive() == expected);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, producer, 0);
  pthread_create(&t[1], 0, consumer, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
