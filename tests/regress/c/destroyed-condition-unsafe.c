// expect: unsafe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <pthread.h>

pthread_cond_t lock;

int main(void) {
  pthread_cond_init(&lock, 0);
  pthread_cond_signal(&lock);
  pthread_cond_destroy(&lock);
  
  pthread_cond_signal(&lock);
  pthread_cond_destroy(&lock);
  return 0;
}
