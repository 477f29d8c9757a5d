// EXPECT: safe
// A stack of two places. One thread pushes when it is not full, another one pops when it is not empty, for ever. The test and the change
// are under one mutex. In the twin stack-bounded-bug.c the popping thread tests before it has the mutex, and somebody else pops, too.
#include <assert.h>
#include <pthread.h>
#include "verifier.h"

#define PLACES 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int places[PLACES], top;

static void *push(void *unused) {
  (void)unused;
  for (;;) {
    int value = __VERIFIER_nondet_bool() ? 1 : 2;
    pthread_mutex_lock(&mutex);
    if (top < PLACES)
      places[top++] = value;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *pop(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&mutex);
    if (top > 0) {
      top--;
      assert(places[top] != 0);
      places[top] = 0;
    }
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, push, 0);
  pthread_create(&threads[1], 0, pop, 0);
  pthread_create(&threads[2], 0, pop, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
