// EXPECT: safe
// FUNC-P: threads change a shared number through function pointers; any number of threads.
// Origin: the thesis' program with function pointers among those with POSIX threads (Kaiser, Kroening and Wahl, Efficient
// coverability analysis by proof minimization, 2012).
// A pool of some connections: each thread carries out one of two operations, chosen before it starts.
// Asserted: a shared number that several functions change remains in its range: no more connections are free than there are.
// Twin: whether a connection is free is tested before the mutex is taken.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

enum { CONNECTIONS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned available = 1; // protected by the mutex

static void take(void) {
  pthread_mutex_lock(&mutex);
  if (available > 0)
    available--;
  assert(available <= CONNECTIONS);
  pthread_mutex_unlock(&mutex);
}

static void give(void) {
  pthread_mutex_lock(&mutex);
  if (available < CONNECTIONS)
    available++;
  assert(available <= CONNECTIONS);
  pthread_mutex_unlock(&mutex);
}

static void *thread(void *unused) {
  (void)unused;
  void (*operation)(void) = __VERIFIER_nondet_bool() ? take : give;
  operation();
  return 0;
}

int main(void) {
  pthread_t handle;
  while (__VERIFIER_nondet_bool())
    pthread_create(&handle, 0, thread, 0);
  return 0;
}
