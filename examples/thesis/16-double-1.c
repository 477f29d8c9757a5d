// EXPECT: safe
// DOUBLE-1: two locks control access to a shared resource, each for one kind of use.
// Origin: benchmarks of earlier work on threads with locks; table 7 of the thesis gives it 3 shared variables and no local one.
//
// A resource's balance is 0 when nobody uses it. Under the first lock a worker takes one more and gives it back, under the
// second one less. So it may be off by one, up or down, or by both at the same time. An observer with the first lock keeps it
// from going up, and with both locks from changing.
// Asserted: with the first lock the balance is -1 or 0; with both it is 0.
// The twin 16-double-1-bug.c gives back after it has released the first lock.
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
  atomic_fetch_sub(&balance, 1);
  pthread_mutex_unlock(&first);

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
