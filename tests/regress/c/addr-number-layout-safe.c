// expect: safe [judge: none]
// Nor about the distance of two objects.
#include <assert.h>

static int x, y;
int main(void) {
  long d = (char *)&y - (char *)&x;
  assert(d != 0);
  return 0;
}
