// EXPECT: unsafe
// OPTIONS: --memory-safety-check
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
struct node *head;

void *user(void *unused) {
  struct node *mine = head;
  if (mine)
    mine->value = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  head = malloc(sizeof *head);
  if (!head)
    return 0;
  head->value = 0;
  pthread_create(&thread, 0, user, 0);
  struct node *old = head;
  head = 0;
  free(old);
  pthread_join(thread, 0);
  return 0;
}
