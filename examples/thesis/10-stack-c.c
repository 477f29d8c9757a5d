// EXPECT: safe
// STACK-C: a stack of nodes in an array, with compare-and-swap; any number of threads push and pop.
// Origin: Treiber's stack (IBM, 1986); table 7 of the thesis gives it 3 shared variables and 3 local ones.
// Here it is a pool with a reserve: pop leaves the last node in its place.
// Asserted: after a push the stack is not empty, whatever others do. Also: all nodes are in the array.
// Nodes are not used again, so that no number means two things at different times.
// The twin 10-stack-c-bug.c looks for the reserve at one time and pops at another.
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
  unsigned node = atomic_load(&top);
  unsigned below;
  do {
    below = atomic_load(&nodes[node % SIZE].below);
    if (node == 0 || below == 0)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &node, below));
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
