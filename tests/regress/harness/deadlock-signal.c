// EXPECT: unsafe
// OPTIONS: --deadlock-check
// The signal is lost if it comes before the wait: nobody looks at `ready` under the mutex.
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *wait_for_it(void *unused) {
  if (!ready) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_for_it, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
