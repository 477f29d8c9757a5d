// EXPECT: safe
// Counting barrier for three threads: arrivals are counted for ever, and a round is over when its last arrival has been counted.
// Source: the central counter barrier of text books (Herlihy and Shavit, "The art of multiprocessor programming"), with a count that is never reset.
// Asserted: who is past the barrier finds the work of all threads of the round done; two rounds.
// The twin barrier-counting-bug.c waits for the same count in each round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define ROUNDS 2

static atomic_uint arrived;
static atomic_uint done;

static void barrier_wait(void) {
  unsigned before = atomic_fetch_add(&arrived, 1);
  unsigned goal = (before / THREADS + 1) * THREADS;
  while (atomic_load(&arrived) < goal) {
  }
}

static void *worker(void *unused) {
  (void)unused;
  for (unsigned round = 1; round <= ROUNDS; round++) {
    atomic_fetch_add(&done, 1);
    barrier_wait();
    assert(atomic_load(&done) >= round * THREADS);
  }
  return 0;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], 0);
  return 0;
}
