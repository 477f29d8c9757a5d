// EXPECT: safe
// A barrier of a mutex and a count that is used twice in each round: who waits does so for the end of its generation. Any number of rounds.
// The twin barrier-generations-bug.c waits for a generation that is true, as it may be since the barrier before.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define THREADS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int arrived;
static bool generation;
static bool marks[THREADS];

static void meet(void) {
  pthread_mutex_lock(&mutex);
  bool mine = generation;
  arrived++;
  if (arrived == THREADS) {
    arrived = 0;
    generation = !generation;
  }
  while (generation == mine) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
  bool *mark = argument;
  for (bool round = true;; round = !round) {
    *mark = round;
    meet();
    assert(marks[0] == round && marks[1] == round);
    meet();
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, &marks[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return 0;
}
