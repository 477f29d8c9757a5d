// expect: unsafe, must [judge: sanitizers]
// A clean-up handler that runs where it is taken away.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

static void unlock(void *lock) {
  count++;
  pthread_mutex_unlock(lock);
}

void *work(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  count += 10;
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(count == 11);
  return 0;
}
