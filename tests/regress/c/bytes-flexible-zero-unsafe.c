// expect: unsafe
// As GNU C had it before.
#include <assert.h>
#include <stdlib.h>

struct ring {
  unsigned head;
  void *slots[0];
};
int main(void) {
  int x = 1;
  struct ring *r = malloc(sizeof *r + 2 * sizeof(void *));
  if (!r)
    return 0;
  r->head = 0;
  r->slots[1] = &x;
  assert(*(int *)r->slots[1] == 2);
  return 0;
}
