// expect: unsafe, must
// Two halves.
#include <assert.h>

int main(void) {
  unsigned x = 0x00020001;
  unsigned short *p = (unsigned short *)&x;
  p[1] += 1;
  assert(x == 0x00020002);
  return 0;
}
