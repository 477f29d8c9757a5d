// EXPECT: safe
// A place for one parcel. Any number of producers wait until it is free and put a parcel there, any number of consumers wait until
// there is one and take it. A thread that wakes up looks again: someone may have been faster.
// Asserted: no parcel is put on another, and who takes one finds one. `parcels` counts what is there.
#include "../thesis/verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_free = PTHREAD_COND_INITIALIZER;
static pthread_cond_t has_parcel = PTHREAD_COND_INITIALIZER;
static unsigned parcels;

static void *produce(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (parcels == 1)
    pthread_cond_wait(&is_free, &mutex);
  parcels++;
  assert(parcels == 1);
  pthread_cond_signal(&has_parcel);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *consume(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (parcels == 0)
    pthread_cond_wait(&has_parcel, &mutex);
  parcels--;
  assert(parcels == 0);
  pthread_cond_signal(&is_free);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, produce, 0);
    else
      pthread_create(&thread, 0, consume, 0);
  }
  return 0;
}
