// EXPECT: unsafe
// As readers-writers-monitor.c, but a writer waits for readers only, not for other writers.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned readers, writers;

static void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (writers != 0)
    pthread_cond_wait(&changed, &mutex);
  readers++;
  pthread_mutex_unlock(&mutex);

  assert(writers == 0);

  pthread_mutex_lock(&mutex);
  readers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (readers != 0)
    pthread_cond_wait(&changed, &mutex);
  writers++;
  pthread_mutex_unlock(&mutex);

  assert(readers == 0 && writers == 1);

  pthread_mutex_lock(&mutex);
  writers--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_create(&threads[2], 0, writer, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
