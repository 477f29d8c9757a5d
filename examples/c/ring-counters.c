// EXPECT: safe
// The counters of a ring of four slots: the producer counts what it has sent, the consumer what it has received, for ever, both up to twice the
// slots and again. The difference is what the ring holds. The twin ring-counters-bug.c sends into a full ring.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4u
// Counters go up to this, and again: twice the slots, so that full and empty differ.
#define NUMBERS (2 * SLOTS)

static atomic_uint sent, received;

static unsigned held(void) {
  return (sent + NUMBERS - received) % NUMBERS;
}

static void *produce(void *unused) {
  (void)unused;
  for (;;)
    if (held() < SLOTS)
      sent = (sent + 1) % NUMBERS;
  return 0;
}

static void *consume(void *unused) {
  (void)unused;
  for (;;)
    if (held() > 0) {
      assert(held() <= SLOTS);
      received = (received + 1) % NUMBERS;
    }
  return 0;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
