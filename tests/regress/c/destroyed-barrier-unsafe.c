// expect: unsafe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <pthread.h>

pthread_barrier_t lock;

int main(void) {
  pthread_barrier_init(&lock, 0, 1);
  pthread_barrier_wait(&lock);
  pthread_barrier_destroy(&lock);
  
  pthread_barrier_wait(&lock);
  pthread_barrier_destroy(&lock);
  return 0;
}
