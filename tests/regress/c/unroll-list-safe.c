// expect: safe, must
// Nodes of a list, one for each round; the last one is first.
#include <assert.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 4; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->next = list;
    node->value = i;
    list = node;
  }
  int digits = 0;
  for (struct node *node = list; node; node = node->next) digits = 10 * digits + node->value;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  assert(digits == 3210);
  return 0;
}
