// EXPECT: safe
// DOUBLE-2: two locks control access to a shared resource, both for writers, either for readers.
// Origin: benchmarks of earlier work on threads with locks; table 7 of the thesis gives it 3 shared variables and no local one.
//
// A writer takes both locks, always in the same order, and may then leave the resource in a state that is not valid for a
// while. A reader takes one lock, whichever is less in demand: that is enough to keep writers away, and readers with different
// locks do not wait for each other.
// Asserted: a reader finds the resource valid; a writer finds it as the one before has left it.
// The twin 17-double-2-bug.c releases the second lock before the resource is valid again.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
// How many changes are under way.
static int changes;

static void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  assert(changes == 0);
  changes++;
  changes--;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}

static void *reader_of_first(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first);
  assert(changes == 0);
  pthread_mutex_unlock(&first);
  return 0;
}

static void *reader_of_second(void *unused) {
  (void)unused;
  pthread_mutex_lock(&second);
  assert(changes == 0);
  pthread_mutex_unlock(&second);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, writer, 0);
    else if (__VERIFIER_nondet_bool())
      pthread_create(&thread, 0, reader_of_first, 0);
    else
      pthread_create(&thread, 0, reader_of_second, 0);
  }
  return 0;
}
