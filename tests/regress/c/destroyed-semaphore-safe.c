// expect: safe, must [judge: none]
// A lock is used after it was destroyed, or initialised again in between.
#include <semaphore.h>

sem_t lock;

int main(void) {
  sem_init(&lock, 0, 1);
  sem_wait(&lock);
  sem_post(&lock);
  sem_destroy(&lock);
  sem_init(&lock, 0, 1);
  sem_wait(&lock);
  sem_post(&lock);
  sem_destroy(&lock);
  return 0;
}
