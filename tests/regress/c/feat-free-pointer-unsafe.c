// expect: unsafe, must
// A function that is built in may be called through a pointer.
#include <assert.h>
#include <stdlib.h>

static void (*release)(void *) = free;
static void *(*obtain)(size_t) = malloc;
int main(void) {
  int *p = obtain(sizeof *p);
  *p = 3;
  assert(*p == 4);
  release(p);
  return 0;
}
