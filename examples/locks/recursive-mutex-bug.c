// EXPECT: unsafe
// Recursive mutex, buggy twin of recursive-mutex.c.
// The mistake: the mutex is given up before the depth is cleared. The next owner's depth is lost, and its inner section ends the outer
// one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NOBODY ((pthread_t)0)

static _Atomic(pthread_t) owner;
// Belongs to the owner.
static unsigned depth;
static int inside;

static void lock(void) {
  if (atomic_load(&owner) != pthread_self()) {
    pthread_t expected;
    do
      expected = NOBODY;
    while (!atomic_compare_exchange_weak(&owner, &expected, pthread_self()));
  }
  depth++;
}

static void unlock(void) {
  assert(atomic_load(&owner) == pthread_self());
  if (depth > 1) {
    depth--;
  } else {
    atomic_store(&owner, NOBODY);
    depth = 0;
  }
}

static void inner(void) {
  lock();
  assert(inside == 1);
  unlock();
}

static void *worker(void *unused) {
  (void)unused;
  lock();
  inside++;
  inner();
  assert(inside == 1);
  inside--;
  unlock();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
