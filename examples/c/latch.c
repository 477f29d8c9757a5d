// EXPECT: safe
// A latch: main goes on when all three workers have counted down, without joining them, and finds their results. In the twin latch-bug.c a
// worker counts down before its result is there.
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int missing = THREADS;
static int results[THREADS];

static void count_down(void) {
  pthread_mutex_lock(&mutex);
  missing--;
  if (missing == 0)
    pthread_cond_signal(&all_done);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
  int *result = argument;
  *result = 1;
  count_down();
  return 0;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&thread, 0, work, &results[i]);
  pthread_mutex_lock(&mutex);
  while (missing > 0)
    pthread_cond_wait(&all_done, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < THREADS; i++)
    assert(results[i] == 1);
  return 0;
}
