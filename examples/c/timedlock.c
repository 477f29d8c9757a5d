// EXPECT: safe
// A thread that did not get the mutex in time must not be inside. With any number of threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *thread(void *unused) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  if (pthread_mutex_timedlock(&mutex, &deadline) != 0)
    return 0;
  inside++;
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
