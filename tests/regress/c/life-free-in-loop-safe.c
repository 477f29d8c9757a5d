// expect: safe, must [options: --memory-safety-check]
// A list that is freed: the next one is read before.
#include <stdlib.h>

struct node {
  struct node *next;
};
int main(void) {
  struct node *first = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      abort();
    n->next = first;
    first = n;
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
