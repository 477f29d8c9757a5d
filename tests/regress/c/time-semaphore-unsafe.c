// expect: unsafe, must [judge: gcc]
// Nanoseconds of a whole second are no time.
#include <assert.h>
#include <errno.h>
#include <time.h>
#include <semaphore.h>

sem_t semaphore;

int main(void) {
  struct timespec time = {0, 999999999};
  sem_init(&semaphore, 0, 0);
  int result = sem_timedwait(&semaphore, &time);
  assert(result == -1 && errno == EINVAL);
  return 0;
}
