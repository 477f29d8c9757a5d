// EXPECT: unsafe
// One path releases the mutex twice.
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *thread(void *unused) {
  pthread_mutex_lock(&mutex);
  value = __VERIFIER_nondet_int();
  if (value < 0)
    pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  return 0;
}
