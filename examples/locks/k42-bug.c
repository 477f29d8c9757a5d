// EXPECT: unsafe
// K42 lock, buggy twin of k42.c.
// The mistake: a free lock is taken with a store, so that two threads may take it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// In the lock, tail is null if the lock is free, and the lock itself if nobody waits.
struct node {
  _Atomic(struct node *) tail;
  _Atomic(struct node *) next;
  atomic_bool waiting;
};

static struct node lock;
static int inside;

static struct node *wait_for_next(struct node *n) {
  struct node *next;
  while ((next = atomic_load(&n->next)) == NULL) {
  }
  return next;
}

// The thread has the lock and gives up its node: who comes after it becomes the next of the lock.
static void leave_node(struct node *me) {
  struct node *expected = me;
  if (atomic_load(&me->next) == NULL) {
    atomic_store(&lock.next, NULL);
    if (atomic_compare_exchange_strong(&lock.tail, &expected, &lock))
      return;
  }
  atomic_store(&lock.next, wait_for_next(me));
}

static void acquire(void) {
  for (;;) {
    struct node *last = atomic_load(&lock.tail);
    if (last == NULL) {
      atomic_store(&lock.tail, &lock);
      return;
    } else {
      struct node me = {NULL, NULL, true};
      if (atomic_compare_exchange_strong(&lock.tail, &last, &me)) {
        atomic_store(&last->next, &me);
        while (atomic_load(&me.waiting)) {
        }
        leave_node(&me);
        return;
      }
    }
  }
}

static void release(void) {
  struct node *expected = &lock;
  if (atomic_load(&lock.next) == NULL && atomic_compare_exchange_strong(&lock.tail, &expected, NULL))
    return;
  atomic_store(&wait_for_next(&lock)->waiting, false);
}

static void *worker(void *unused) {
  (void)unused;
  acquire();
  inside++;
  assert(inside == 1);
  inside--;
  release();
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
