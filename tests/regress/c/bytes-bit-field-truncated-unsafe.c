// expect: unsafe, must
// A value that does not fit.
#include <assert.h>

struct s {
  unsigned a : 3;
  signed b : 3;
};
int main(void) {
  struct s s;
  s.a = 9;
  s.b = 7;
  assert(s.a == 1 && s.b == 7);
  return 0;
}
