// expect: unsafe
// A free list in the bytes of the objects.
#include <assert.h>
#include <stdlib.h>

union slot {
  union slot *next;
  int value;
};
static union slot slots[3];
static union slot *first;
static union slot *take(void) {
  union slot *s = first;
  first = s->next;
  return s;
}
static void give(union slot *s) {
  s->next = first;
  first = s;
}
int main(void) {
  for (int i = 0; i < 3; i++)
    give(&slots[i]);
  union slot *a = take();
  a->value = 5;
  union slot *b = take();
  b->value = 6;
  assert(a->value == 5 && a == b);
  return 0;
}
