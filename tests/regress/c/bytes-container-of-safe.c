// expect: safe, must
// From a member back to its structure.
#include <assert.h>
#include <stddef.h>

struct item {
  int value;
  struct item *link;
};
int main(void) {
  struct item i = {3, 0};
  struct item **l = &i.link;
  struct item *p = (struct item *)((char *)l - offsetof(struct item, link));
  assert(p == &i && p->value == 3);
  return 0;
}
