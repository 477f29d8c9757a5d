// expect: safe [judge: gcc]
// Also for another type, from another place.
#include <assert.h>
#include <stdlib.h>

struct a {
  int x, y;
};
struct b {
  long z;
};
int main(void) {
  struct a *p = malloc(sizeof *p);
  if (!p)
    return 0;
  void *old = p;
  struct b *q = malloc(sizeof *q);
  int same = (void *)q == old;
  assert(!same);
  return 0;
}
