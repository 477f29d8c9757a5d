// EXPECT: safe
// OPTIONS: --max-live-threads 2^30
// Event counts and sequencers: producers and consumers draw numbers and wait until enough has happened; no lock.
// Source: Reed and Kanodia, "Synchronization with eventcounts and sequencers" (CACM 1979).
// Asserted: producers find their slot empty, consumers find it full. Counts wrap around and are compared by their distance.
// The twin eventcount-bug.c does not wait for the last slot to become empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2

static atomic_uint producers, consumers; // sequencers
static atomic_uint in, out;              // event counts
static bool full[SLOTS];

static unsigned ticket(atomic_uint *sequencer) {
  return atomic_fetch_add(sequencer, 1);
}

static void await(atomic_uint *count, unsigned value) {
  while ((int)(atomic_load(count) - value) < 0) {
  }
}

static void advance(atomic_uint *count) {
  atomic_fetch_add(count, 1);
}

static void *producer(void *unused) {
  (void)unused;
  unsigned mine = ticket(&producers);
  await(&in, mine);
  await(&out, mine + 1 - SLOTS);
  assert(!full[mine % SLOTS]);
  full[mine % SLOTS] = true;
  advance(&in);
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  unsigned mine = ticket(&consumers);
  await(&out, mine);
  await(&in, mine + 1);
  assert(full[mine % SLOTS]);
  full[mine % SLOTS] = false;
  advance(&out);
  return 0;
}

int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, producer, 0);
    pthread_create(&t, 0, consumer, 0);
  }
}
