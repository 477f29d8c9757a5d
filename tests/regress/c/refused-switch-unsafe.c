// expect: unsafe
// Something that is not modelled on one way does not end the other ways.
#include <assert.h>
static struct { unsigned long l : 40; } x;
static int c;
int main(void) {
  int y = 0;
  switch (c && x.l > 3) { case 0: y = 1; }
  assert(!y);
  return 0;
}
