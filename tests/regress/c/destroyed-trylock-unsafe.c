// expect: unsafe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <pthread.h>

pthread_mutex_t lock;

int main(void) {
  pthread_mutex_init(&lock, 0);
  if (pthread_mutex_trylock(&lock) == 0) {
    pthread_mutex_unlock(&lock);
  };
  pthread_mutex_destroy(&lock);
  
  if (pthread_mutex_trylock(&lock) == 0) {
    pthread_mutex_unlock(&lock);
  };
  pthread_mutex_destroy(&lock);
  return 0;
}
