// expect: unsafe, must
// A sum over the bytes of a structure without padding.
#include <assert.h>

struct s {
  unsigned short a;
  unsigned char b, c;
};
int main(void) {
  struct s s = {0x0102, 3, 4};
  unsigned sum = 0;
  for (unsigned i = 0; i < sizeof s; i++)
    sum += ((unsigned char *)&s)[i];
  assert(sum == 9);
  return 0;
}
