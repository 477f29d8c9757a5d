// expect: unsafe, must [judge: gcc]
// Nanoseconds of a whole second are no time.
#include <assert.h>
#include <errno.h>
#include <time.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  struct timespec time = {0, 999999999};
  pthread_mutex_lock(&lock);
  int result = pthread_mutex_timedlock(&lock, &time);
  assert(result == EINVAL);
  return 0;
}
