// EXPECT: unsafe
// THREADS: 5
// Event counts and sequencers, buggy twin of eventcount.c.
// The mistake: a producer waits for one event too few. It fills a slot that is still full.
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
  await(&out, mine - SLOTS);
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
