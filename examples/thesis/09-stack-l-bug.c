// EXPECT: unsafe
// STACK-L, buggy twin of 09-stack-l.c.
// The mistake: pop has a fast way for the last node, whose removal is a single store and so is believed to need no lock.
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
  unsigned node = top;
  if (node != 0 && nodes[node % SIZE].below == 0) {
    value = nodes[node % SIZE].value;
    top = 0;
    return value;
  }
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
