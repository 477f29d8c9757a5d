// EXPECT: safe
// MCS lock: waiting threads form a queue; each spins on a flag in its own node, which is on its stack.
// Source: Mellor-Crummey and Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors" (TOCS 1991).
// Asserted: only one thread is inside.
// The twin mcs-bug.c does not set its flag again before the second use of the node.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
  _Atomic(struct node *) next;
  atomic_bool waiting;
};

// The last node of the queue, or null if the lock is free.
static _Atomic(struct node *) tail;
static int inside;

static void acquire(struct node *me) {
  atomic_store(&me->next, NULL);
  atomic_store(&me->waiting, true);
  struct node *before = atomic_exchange(&tail, me);
  if (before != NULL) {
    atomic_store(&before->next, me);
    while (atomic_load(&me->waiting)) {
    }
  }
}

static void release(struct node *me) {
  struct node *next = atomic_load(&me->next);
  if (next == NULL) {
    struct node *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
      return;
    // Somebody is in the queue but has not yet said so.
    while ((next = atomic_load(&me->next)) == NULL) {
    }
  }
  atomic_store(&next->waiting, false);
}

static void *worker(void *unused) {
  struct node me = {NULL, true};
  (void)unused;
  for (int round = 0; round < 2; round++) {
    acquire(&me);
    inside++;
    assert(inside == 1);
    inside--;
    release(&me);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
