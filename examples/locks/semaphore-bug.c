// EXPECT: unsafe
// THREADS: 5
// Counting semaphore with three places, buggy twin of semaphore.c.
// The mistake: a place is looked for and taken in two steps, so that two threads may take the last one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PLACES 3

static atomic_int places = PLACES;
static atomic_int inside;

static void down(void) {
  while (atomic_load(&places) <= 0) {
  }
  atomic_fetch_sub(&places, 1);
}

static void up(void) {
  atomic_fetch_add(&places, 1);
}

static void *worker(void *unused) {
  (void)unused;
  down();
  int others = atomic_fetch_add(&inside, 1);
  assert(others < PLACES);
  atomic_fetch_sub(&inside, 1);
  up();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
