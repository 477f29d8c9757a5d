// EXPECT: unsafe
// As latch.c, but a worker counts down before its result is there.
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
  count_down();
  *result = 1;
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
