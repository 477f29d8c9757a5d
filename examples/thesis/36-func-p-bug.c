// EXPECT: unsafe
// FUNC-P, buggy twin of 36-func-p.c: threads change a shared number through function pointers; any number of threads.
// The mistake: whether a connection is free is tested before the mutex is taken. Two threads may take the last one, and the number
// wraps around.
// Asserted: no more connections are free than there are, as in the correct program.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

enum { CONNECTIONS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned available = 1; // protected by the mutex

static void take(void) {
  if (available > 0) {
    pthread_mutex_lock(&mutex);
    available--;
    assert(available <= CONNECTIONS);
    pthread_mutex_unlock(&mutex);
  }
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
