// EXPECT: unsafe
// DOUBLE-2, buggy twin of 17-double-2.c.
// The mistake: a writer releases the second lock before its change is complete, as it has the first lock still: a reader with
// the second lock sees the resource half changed.
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
  pthread_mutex_unlock(&second);
  changes--;
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
