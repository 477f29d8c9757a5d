// expect: unsafe, must
// The low byte comes first.
#include <assert.h>

int main(void) {
  int x = 0x11223344;
  unsigned char *p = (unsigned char *)&x;
  assert(p[0] == 0x11);
  return 0;
}
