// expect: unsafe
// Something that is not modelled on one way does not end the other ways.
#include <assert.h>
static struct { unsigned long l : 40; } x;
static int c;
int main(void) {
  int y = c ? (int)x.l : 7;
  assert(y != 7);
  return 0;
}
