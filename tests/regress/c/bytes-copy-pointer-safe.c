// expect: safe, must
// A pointer copied byte by byte is the same pointer.
#include <assert.h>

int main(void) {
  int x = 1, z = 2;
  int *p = &x, *q = &z;
  unsigned char *f = (unsigned char *)&p, *t = (unsigned char *)&q;
  for (unsigned i = 0; i < sizeof p; i++)
    t[i] = f[i];
  *q = 5;
  assert(x == 5);
  return 0;
}
