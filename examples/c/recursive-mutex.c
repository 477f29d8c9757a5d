// EXPECT: safe
// A recursive mutex may be taken again by its holder, and is free after as many releases. With any number of threads.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

static pthread_mutex_t mutex;
static int inside;

static void inner(void) {
  pthread_mutex_lock(&mutex);
  assert(inside == 1);
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *unused) {
  pthread_mutex_lock(&mutex);
  inside++;
  inner();
  assert(inside == 1);
  inside--;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
