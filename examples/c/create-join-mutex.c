// EXPECT: safe
// Four threads, created and joined in loops, count under a mutex. In the twin create-join-mutex-bug.c the mutex is released too early.
#include <assert.h>
#include <pthread.h>

#define THREADS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  count = count + 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  assert(count == THREADS);
  return 0;
}
