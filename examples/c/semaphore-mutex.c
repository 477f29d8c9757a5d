// EXPECT: safe
// A semaphore that starts with one is a mutex, for any number of threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include "verifier.h"

static sem_t semaphore;
static int inside;

static void *thread(void *unused) {
  sem_wait(&semaphore);
  inside++;
  assert(inside == 1);
  inside--;
  sem_post(&semaphore);
  return 0;
}

int main(void) {
  pthread_t handle;
  sem_init(&semaphore, 0, 1);
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
