// EXPECT: unsafe
// STACK-C, buggy twin of 10-stack-c.c.
// The mistake: pop looks once whether the node on top is the last one, and then pops what it finds on top. Between the two
// another thread can pop that node, and this one takes the last.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4

// The node on top, or 0.
static atomic_uint top;
// The nodes from 1 to this one have been used.
static atomic_uint used;
static struct {
  int value;
  atomic_uint below;
} nodes[SIZE];

// A node that nobody else has, or 0.
static unsigned new_node(void) {
  unsigned last = atomic_load(&used);
  do {
    if (last >= SIZE - 1)
      return 0;
  } while (!atomic_compare_exchange_strong(&used, &last, last + 1));
  return last + 1;
}

// Whether there was a node left.
static _Bool push(int value) {
  unsigned node = new_node();
  if (node == 0)
    return 0;
  nodes[node].value = value;
  unsigned below = atomic_load(&top);
  do {
    atomic_store(&nodes[node].below, below);
  } while (!atomic_compare_exchange_strong(&top, &below, node));
  assert(atomic_load(&top) != 0);
  return 1;
}

// The value on top, or 0 if it is the last one.
static int pop(void) {
  if (atomic_load(&nodes[atomic_load(&top) % SIZE].below) == 0)
    return 0;
  unsigned node = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &node, nodes[node % SIZE].below)) {
  }
  return nodes[node % SIZE].value;
}

static void *worker(void *unused) {
  (void)unused;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool())
      push(10);
    else
      pop();
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_bool())
    pthread_create(&thread, 0, worker, 0);
  return 0;
}
