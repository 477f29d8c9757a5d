// expect: safe, must [options: --data-race-check] [judge: none]
// A lock is destroyed while a thread may use it.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *work(void *argument) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  pthread_rwlock_destroy(&lock);
  return 0;
}
