// expect: unsafe, must
// The first byte of several fields.
#include <assert.h>

struct s {
  unsigned a : 6;
  unsigned b : 6;
};
int main(void) {
  struct s s = {63, 63};
  ((unsigned char *)&s)[0] = 0;
  assert(s.a == 0 && s.b == 63);
  return 0;
}
