// expect: safe, must [options: --data-race-check] [judge: none]
// A semaphore is initialised while a thread may use it.
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;

void *work(void *argument) {
  sem_post(&semaphore);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, work, 0);
  return 0;
}
