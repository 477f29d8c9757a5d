// expect: unsafe, must [options: --deadlock-check] [judge: none]
// Nobody changes what the thread waits for, nor signals: it waits for ever, and main for it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int items = 1;

static void *producer(void *argument) {
  pthread_mutex_lock(&lock);
  while (items > 0)
    pthread_cond_wait(&empty, &lock);
  items++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&empty);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
