// EXPECT: safe
// Sense-reversing barrier for three threads: the last one to arrive resets the count and turns the sense, for which the others wait.
// Source: Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization" (IJPP 1988); Mellor-Crummey and Scott (TOCS 1991).
// Asserted: who is past the barrier finds the marks of all threads for this round; a second barrier ends the round. Any number of rounds.
// The twin barrier-sense-bug.c does not turn its own sense.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 3

static atomic_int missing = THREADS;
static atomic_bool sense;
static atomic_bool mark[THREADS];

static void barrier_wait(bool *mine) {
  *mine = !*mine;
  if (atomic_fetch_sub(&missing, 1) == 1) {
    atomic_store(&missing, THREADS);
    atomic_store(&sense, *mine);
  } else {
    while (atomic_load(&sense) != *mine) {
    }
  }
}

static void *worker(void *argument) {
  atomic_bool *my_mark = argument;
  bool my_sense = false;
  for (bool round = true;; round = !round) {
    atomic_store(my_mark, round);
    barrier_wait(&my_sense);
    for (int i = 0; i < THREADS; i++)
      assert(atomic_load(&mark[i]) == round);
    barrier_wait(&my_sense);
  }
  return 0;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], 0, worker, &mark[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], 0);
  return 0;
}
