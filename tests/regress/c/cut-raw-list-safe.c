// expect: safe, must
// The list of free blocks is kept in the blocks.
#include <assert.h>
#include <stdlib.h>

struct node {
  struct node *next;
};
int main(void) {
  char *block = malloc(2 * sizeof(struct node));
  struct node *first = (struct node *)block;
  struct node *second = (struct node *)(block + sizeof(struct node));
  first->next = second;
  second->next = 0;
  assert(first->next == second);
  assert(first->next->next == 0);
  return 0;
}
