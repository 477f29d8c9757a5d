// EXPECT: safe
// STACK-L: a stack of nodes in an array, with a lock; any number of threads push and pop.
// Origin: text books on concurrency; table 7 of the thesis gives it 4 shared variables and 2 local ones.
// Asserted: after a push the stack is not empty, until the lock is released. Also: all nodes are in the array.
// Nodes are not used again. A node's number is reduced before its use in pop, as what a node says about the next one is data.
// The twin 09-stack-l-bug.c pops without the lock when it sees that there is only one node.
#include "verifier.h"
#include <assert.h>
#include <pthread.h>

#define SIZE 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The node on top, or 0.
static unsigned top;
// The nodes from 1 to this one have been used.
static unsigned used;
static struct {
  int value;
  unsigned below;
} nodes[SIZE];

// Whether there was a node left.
static _Bool push(int value) {
  pthread_mutex_lock(&mutex);
  unsigned node = used + 1;
  if (node >= SIZE) {
    pthread_mutex_unlock(&mutex);
    return 0;
  }
  used = node;
  nodes[node].value = value;
  nodes[node].below = top;
  top = node;
  assert(top != 0);
  pthread_mutex_unlock(&mutex);
  return 1;
}

// The value on top, or 0.
static int pop(void) {
  int value = 0;
  pthread_mutex_lock(&mutex);
  if (top != 0) {
    value = nodes[top % SIZE].value;
    top = nodes[top % SIZE].below;
  }
  pthread_mutex_unlock(&mutex);
  return value;
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
