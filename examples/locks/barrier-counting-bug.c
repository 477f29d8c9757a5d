// EXPECT: unsafe
// Counting barrier for three threads, buggy twin of barrier-counting.c.
// The mistake: the barrier waits for the same count in each round. In the second round it does not wait at all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3
#define ROUNDS 2

static atomic_uint arrived;
static atomic_uint done;

static void barrier_wait(void) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < THREADS) {
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
