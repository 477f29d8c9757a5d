// expect: unsafe, must [judge: none]
// A mutex is destroyed while a thread may still use it.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *work(void *argument) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  
  pthread_mutex_destroy(&lock);
  return 0;
}
