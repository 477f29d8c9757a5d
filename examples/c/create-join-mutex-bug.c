// EXPECT: unsafe
// THREADS: 5
// As create-join-mutex.c, but the count is changed after the mutex has been released: one increment gets lost.
#include <assert.h>
#include <pthread.h>

#define THREADS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  count = count + 1;
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
