// EXPECT: safe
// Recursive mutex: the owner may lock again; the mutex is free when it has unlocked as often.
// Source: the monitors of Java, as in the thin locks of Bacon, Konuru, Murthy and Serrano (PLDI 1998): an owner and a depth.
// Asserted: only one thread is inside, also after it has left the inner section.
// The twin recursive-mutex-bug.c gives the mutex up before it clears the depth.
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
  depth--;
  if (depth == 0)
    atomic_store(&owner, NOBODY);
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
