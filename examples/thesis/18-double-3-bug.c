// EXPECT: unsafe
// DOUBLE-3, buggy twin of 18-double-3.c.
// The mistake: a thread releases the first lock, enters the second stage, and takes the second lock only then: two threads can
// be in that stage.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
// Whether a thread works on the stage. Each is changed under its own lock.
static _Bool first_busy;
static _Bool second_busy;

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first);
  assert(!first_busy);
  first_busy = 1;
  first_busy = 0;

  pthread_mutex_unlock(&first);
  assert(!second_busy);
  second_busy = 1;
  pthread_mutex_lock(&second);
  second_busy = 0;
  pthread_mutex_unlock(&second);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}
