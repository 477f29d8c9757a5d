// EXPECT: safe
// Two threads push their nodes on a linked stack under a mutex; then both nodes are there.
#include <assert.h>
#include <pthread.h>

struct node {
  struct node *next;
  int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node nodes[2] = {{0, 1}, {0, 2}};
static struct node *top;

static void *push(void *argument) {
  struct node *node = argument;
  pthread_mutex_lock(&mutex);
  node->next = top;
  top = node;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, push, &nodes[0]);
  pthread_create(&second, 0, push, &nodes[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(top != 0 && top->next != 0 && top->next->next == 0);
  assert(top->value + top->next->value == 3);
  return 0;
}
