// expect: unsafe, must [judge: gcc]
// Nanoseconds of a whole second are no time.
#include <assert.h>
#include <errno.h>
#include <time.h>
#include <pthread.h>

pthread_rwlock_t lock;

int main(void) {
  struct timespec time = {0, 999999999};
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
  int result = pthread_rwlock_timedwrlock(&lock, &time);
  assert(result == EINVAL);
  return 0;
}
