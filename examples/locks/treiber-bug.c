// EXPECT: unsafe
// Treiber's stack, buggy twin of treiber.c.
// The mistake: pop moves the top with a store, whatever it has become meanwhile. Two threads may pop the same node.
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
  if (n != NULL)
    atomic_store(&top, n->next);
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
