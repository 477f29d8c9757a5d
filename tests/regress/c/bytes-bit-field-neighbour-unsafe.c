// expect: unsafe, must
// A neighbour keeps its value.
#include <assert.h>

struct s {
  signed a : 3;
  unsigned b : 5;
  unsigned char c;
};
int main(void) {
  struct s s = {-1, 31, 255};
  s.a = 2;
  assert(s.b == 31 && s.c == 255 && s.a == -1);
  return 0;
}
