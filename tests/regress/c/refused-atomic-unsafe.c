// expect: unsafe [options: --atomic-statements]
// Something that is not modelled on one way does not end the other ways.
#include <assert.h>
static struct { unsigned long l : 40; } x;
static int c;
int main(void) {
  int y = 1;
  if (c && x.l > 3) y = 0;
  assert(!y);
  return 0;
}
