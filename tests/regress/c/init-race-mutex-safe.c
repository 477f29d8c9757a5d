// expect: safe, must [options: --data-race-check] [judge: none]
// A mutex is initialised while a thread may use it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  pthread_mutex_init(&lock, 0);
  return 0;
}
