// expect: unsafe, must [judge: none]
// A mutex is destroyed that is locked.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&lock);
  
  pthread_mutex_destroy(&lock);
  return 0;
}
