// EXPECT: unsafe
// A function takes a mutex that its caller may already hold: double lock.
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void set(int new_value) {
  pthread_mutex_lock(&mutex);
  value = new_value;
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *unused) {
  pthread_mutex_lock(&mutex);
  if (value == 0) {
    set(1);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  return 0;
}
