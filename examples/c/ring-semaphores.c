// EXPECT: safe
// One producer and one consumer over a ring of two slots. One semaphore counts free slots, one counts items; each thread has its own
// index, so that no mutex is needed. Items arrive in order, for ever. The twin ring-semaphores-bug.c starts with one free slot too many.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 2
// Items are numbered up to this, and again.
#define NUMBERS 3

static sem_t slots, items;
static int ring[SLOTS];

static void *produce(void *unused) {
  (void)unused;
  int in = 0;
  for (int item = 0;; item = (item + 1) % NUMBERS) {
    sem_wait(&slots);
    ring[in] = item;
    in = (in + 1) % SLOTS;
    sem_post(&items);
  }
  return 0;
}

static void *consume(void *unused) {
  (void)unused;
  int out = 0;
  for (int expected = 0;; expected = (expected + 1) % NUMBERS) {
    sem_wait(&items);
    assert(ring[out] == expected);
    out = (out + 1) % SLOTS;
    sem_post(&slots);
  }
  return 0;
}

int main(void) {
  pthread_t producer, consumer;
  sem_init(&slots, 0, SLOTS);
  sem_init(&items, 0, 0);
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
