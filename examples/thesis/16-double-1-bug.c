// EXPECT: unsafe
// DOUBLE-1, buggy twin of 16-double-1.c.
// The mistake: a worker releases the first lock before it has given back what it took: the observer finds one more.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
// Threads with different locks change it, hence atomic.
static atomic_int balance;

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first);
  atomic_fetch_add(&balance, 1);
  pthread_mutex_unlock(&first);
  atomic_fetch_sub(&balance, 1);

  pthread_mutex_lock(&second);
  atomic_fetch_sub(&balance, 1);
  atomic_fetch_add(&balance, 1);
  pthread_mutex_unlock(&second);
  return 0;
}

static void *observer(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&first);
    int seen = atomic_load(&balance);
    assert(seen == -1 || seen == 0);
    pthread_mutex_lock(&second);
    assert(atomic_load(&balance) == 0);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, observer, 0);
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}
