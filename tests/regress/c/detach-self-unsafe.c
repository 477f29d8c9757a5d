// expect: unsafe, must [judge: none]
// A thread that detaches itself: its own handle is exact while nobody had it before.
#include <assert.h>
#include <pthread.h>

int done;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *argument) {
  pthread_detach(pthread_self());
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&lock);
  int seen = done;
  pthread_mutex_unlock(&lock);
  assert(seen == 0);
  return 0;
}
