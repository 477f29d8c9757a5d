// EXPECT: unsafe
// As barrier-generations.c, but a thread waits until the generation is true. That it may be since the barrier before: the first one runs through
// the second barrier.
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
  arrived++;
  if (arrived == THREADS) {
    arrived = 0;
    generation = !generation;
  }
  while (!generation) {
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
