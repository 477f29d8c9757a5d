// EXPECT: unsafe
// OPTIONS: --deadlock-check
#include <pthread.h>

pthread_barrier_t all;

void *come(void *unused) {
  pthread_barrier_wait(&all);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&all, 0, 3);
  pthread_create(&first, 0, come, 0);
  pthread_create(&second, 0, come, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
