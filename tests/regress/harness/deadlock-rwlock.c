// EXPECT: unsafe
// OPTIONS: --deadlock-check
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int value;

void *reads(void *unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reads, 0);
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
