// EXPECT: safe
// DOUBLE-3: two locks control access to a shared resource, one after the other.
// Origin: benchmarks of earlier work on threads with locks, and lock coupling; table 7 of the thesis gives it 3 shared
// variables and no local one.
//
// A resource has two stages in a row. A thread takes the first lock, works on the first stage, takes the second lock before it
// releases the first, and works on the second stage: nobody overtakes, and a stage has one thread at a time.
// Asserted: mutual exclusion in each stage; and who moves on finds the second stage empty.
// The twin 18-double-3-bug.c enters the second stage first and takes its lock then.
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

  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&first);
  assert(!second_busy);
  second_busy = 1;
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
