// EXPECT: unsafe
// CLH lock, buggy twin of clh.c.
// The mistake: the node is marked as taken after it was put into the queue. The next thread may find it free in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  atomic_bool taken;
};

static _Atomic(struct node *) tail;
static int inside;

// Returns the node of the thread before, which nobody else can reach any more.
static struct node *acquire(struct node *me) {
  struct node *before = atomic_exchange(&tail, me);
  atomic_store_explicit(&me->taken, true, memory_order_relaxed);
  while (atomic_load_explicit(&before->taken, memory_order_acquire)) {
  }
  return before;
}

static void release(struct node *me) {
  atomic_store_explicit(&me->taken, false, memory_order_release);
}

static void *worker(void *unused) {
  struct node *me = calloc(1, sizeof *me);
  (void)unused;
  if (me == NULL)
    return 0;
  struct node *before = acquire(me);
  inside++;
  assert(inside == 1);
  inside--;
  release(me);
  free(before);
  return 0;
}

int main(void) {
  pthread_t t;
  struct node *first = calloc(1, sizeof *first);
  if (first == NULL)
    return 1;
  atomic_store(&tail, first);
  while (1)
    pthread_create(&t, 0, worker, 0);
}
