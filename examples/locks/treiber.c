// EXPECT: safe
// Treiber's stack: a list without a lock; push and pop exchange the top if it is still what they saw.
// Source: Treiber, "Systems programming: coping with parallelism" (IBM RJ 5118, 1986).
// Asserted: who pops a node is its only owner. Nodes are not used again, as others may still look at them (hazard pointers are for that).
// The twin treiber-bug.c pops with a load and a store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
  struct node *next;
  atomic_bool owned;
};

static _Atomic(struct node *) top;

static void push(struct node *n) {
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) {
  }
}

static struct node *pop(void) {
  struct node *n = atomic_load(&top);
  while (n != NULL && !atomic_compare_exchange_weak(&top, &n, n->next)) {
  }
  return n;
}

static void *worker(void *unused) {
  (void)unused;
  struct node *n = calloc(1, sizeof *n);
  if (n == NULL)
    return 0;
  push(n);
  n = pop();
  if (n != NULL) {
    assert(!atomic_load(&n->owned));
    atomic_store(&n->owned, true);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
