// EXPECT: unsafe
// As stack-aba.c, but the tag never changes. A thread has seen node 0 on top and 1 below; meanwhile both are taken and 0 is put back; then it makes
// 1 the top, which belongs to somebody.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NONE 2u
#define TAG 4u
// By how much the tag changes.
#define CHANGE 0u

// Nodes 0 and 1; the top is a node's number plus a tag.
static atomic_uint next[2] = {1, NONE};
static atomic_uint top;
static atomic_bool taken[2];

static unsigned pop(void) {
  unsigned old = top, node;
  do {
    node = old % TAG;
    if (node == NONE)
      return NONE;
  } while (!atomic_compare_exchange_strong(&top, &old, old - node + next[node] + CHANGE));
  assert(!atomic_exchange(&taken[node], 1));
  return node;
}

static void push(unsigned node) {
  taken[node] = 0;
  unsigned old = top;
  do {
    next[node] = old % TAG;
  } while (!atomic_compare_exchange_strong(&top, &old, old - old % TAG + node + CHANGE));
}

static void *work(void *unused) {
  (void)unused;
  unsigned first = pop();
  pop();
  if (first != NONE)
    push(first);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pop();
  pop();
  pthread_join(thread, 0);
  return 0;
}
