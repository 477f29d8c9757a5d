// expect: unsafe
// Something that is not modelled on one way does not end the other ways.
#include <assert.h>
static struct { unsigned long l : 40; } x;
static int c;
int main(void) {
  int y = c && x.l > 3;
  assert(y);
  return 0;
}
