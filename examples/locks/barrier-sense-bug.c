// EXPECT: unsafe
// Sense-reversing barrier for three threads, buggy twin of barrier-sense.c.
// The mistake: no thread turns its own sense. The sense has always the value for which the threads wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREADS 3

static atomic_int missing = THREADS;
static atomic_bool sense;
static atomic_bool mark[THREADS];

static void barrier_wait(bool *mine) {
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
