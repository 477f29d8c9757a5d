// expect: unsafe
// Something that is not modelled on one way does not end the other ways.
#include <assert.h>
static struct { unsigned long l : 40; } x;
static int c;
int main(void) {
  int y = 1 + (c || (1 - (c && x.l > 3)));
  assert(y != 2);
  return 0;
}
