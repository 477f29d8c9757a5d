// expect: unsafe, must [judge: none]
// A lock that is held must not be initialised.
#include <pthread.h>

pthread_mutex_t lock;

int main(void) {
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_init(&lock, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
