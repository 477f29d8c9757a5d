// EXPECT: safe
// A buffer of two places between any number of producers and consumers. One semaphore counts free places, one counts items; at each
// moment places + items <= 2, so that 0 <= count <= 2, and the index is in bounds.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include "verifier.h"

static sem_t places, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[2];
static unsigned count;

static void *produce(void *unused) {
  sem_wait(&places);
  pthread_mutex_lock(&mutex);
  buffer[count] = 1;
  count++;
  pthread_mutex_unlock(&mutex);
  sem_post(&items);
  return 0;
}

static void *consume(void *unused) {
  sem_wait(&items);
  pthread_mutex_lock(&mutex);
  assert(count > 0);
  count--;
  assert(buffer[count] == 1);
  buffer[count] = 0;
  pthread_mutex_unlock(&mutex);
  sem_post(&places);
  return 0;
}

int main(void) {
  pthread_t handle;
  sem_init(&places, 0, 2);
  sem_init(&items, 0, 0);
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, __VERIFIER_nondet_bool() ? produce : consume, 0);
  return 0;
}
