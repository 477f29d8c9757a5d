// expect: unsafe
// Members of both kinds, and a sum of both.
#include <assert.h>

struct point {
  double x;
  float y;
};

int main(void) {
  struct point a = {1.5, 2.5f};
  struct point b = a;
  b.x += b.y;
  assert(b.x == 4.5);
  return 0;
}
