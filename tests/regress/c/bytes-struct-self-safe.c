// expect: safe, must
// From one element to another of the same array.
#include <assert.h>

struct s {
  int a, b;
};
int main(void) {
  struct s v[2] = {{1, 2}, {3, 4}};
  struct s *p = v;
  *p = p[1];
  assert(v[0].b == 4);
  return 0;
}
