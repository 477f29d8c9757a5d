// EXPECT: unsafe
// OPTIONS: --deadlock-check
// Two wait, one is woken.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *wait_for_it(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, wait_for_it, 0);
  pthread_create(&second, 0, wait_for_it, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&changed);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
