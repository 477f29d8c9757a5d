// EXPECT: unsafe
// A thread releases the mutex that main holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_mutex_lock(&mutex);
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  return 0;
}
