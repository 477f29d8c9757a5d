// EXPECT: safe
// A bounded buffer with condition variables and any number of producers and consumers. Each wait is in a loop, so that a thread
// that wakes up for no reason, or too late, waits again. The indices are always in bounds.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[2];
static unsigned count;

static void *produce(void *unused) {
  pthread_mutex_lock(&mutex);
  while (count == 2)
    pthread_cond_wait(&not_full, &mutex);
  buffer[count] = 1;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *consume(void *unused) {
  pthread_mutex_lock(&mutex);
  while (count == 0)
    pthread_cond_wait(&not_empty, &mutex);
  count--;
  assert(buffer[count] == 1);
  buffer[count] = 0;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool()) {
    pthread_create(&handle, 0, produce, 0);
    pthread_create(&handle, 0, consume, 0);
  }
  return 0;
}
