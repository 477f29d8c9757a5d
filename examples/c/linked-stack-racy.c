// EXPECT: unsafe
// Without the mutex one push overwrites the other.
#include <assert.h>
#include <pthread.h>

struct node {
  struct node *next;
  int value;
};

static struct node nodes[2] = {{0, 1}, {0, 2}};
static struct node *top;

static void *push(void *argument) {
  struct node *node = argument;
  node->next = top;
  top = node;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, push, &nodes[0]);
  pthread_create(&second, 0, push, &nodes[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(top != 0 && top->next != 0);
  return 0;
}
