// expect: unsafe, must [judge: none]
// A lock in memory that the program shares out by itself: who holds it is known for each thread.
#include <pthread.h>

static _Alignas(16) char pool[256];

void *work(void *argument) {
  pthread_mutex_unlock((pthread_mutex_t *)pool);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_t *lock = (pthread_mutex_t *)pool;
  pthread_mutex_init(lock, 0);
  pthread_mutex_lock(lock);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
