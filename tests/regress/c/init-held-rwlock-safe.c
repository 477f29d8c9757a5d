// expect: safe, must [judge: none]
// A lock that is held must not be initialised.
#include <pthread.h>

pthread_rwlock_t lock;

int main(void) {
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}
