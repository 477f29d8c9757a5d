// EXPECT: safe
// Counting semaphore with three places: down waits for a place and takes it, up gives it back.
// Source: Dijkstra, "Cooperating sequential processes" (EWD 123, 1965); the CAS loop is how sem_trywait is usually written.
// Asserted: at most three threads are inside.
// The twin semaphore-bug.c tests for a place and takes it in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PLACES 3

static atomic_int places = PLACES;
static atomic_int inside;

static void down(void) {
  int old = atomic_load(&places);
  for (;;) {
    if (old == 0)
      old = atomic_load(&places);
    else if (atomic_compare_exchange_weak(&places, &old, old - 1))
      return;
  }
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
