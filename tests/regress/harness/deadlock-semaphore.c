// EXPECT: unsafe
// OPTIONS: --deadlock-check
#include <pthread.h>
#include <semaphore.h>

sem_t items;
int seen;

void *take(void *unused) {
  sem_wait(&items);
  seen++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&items, 0, 0);
  pthread_create(&first, 0, take, 0);
  pthread_create(&second, 0, take, 0);
  sem_post(&items);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
