// EXPECT: unsafe
// Double-checked initialisation that sets the flag too early: a second thread uses the value before it is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool initialised;
static int value;

static void *thread(void *unused) {
  if (!atomic_load(&initialised)) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load(&initialised)) {
      atomic_store(&initialised, 1);
      value = 7;
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(value == 7);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
