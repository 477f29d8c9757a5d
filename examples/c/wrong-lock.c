// EXPECT: unsafe
// Two threads protect the same variable with different mutexes.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int inside;

static void *thread(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, thread, &mutexes[0]);
  pthread_create(&second, 0, thread, &mutexes[1]);
  return 0;
}
