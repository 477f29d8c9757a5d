// EXPECT: unsafe
// MCS lock, buggy twin of mcs.c.
// The mistake: the flag is set where the node is declared, but not again in acquire. A thread that has waited once does not wait the
// second time.
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
