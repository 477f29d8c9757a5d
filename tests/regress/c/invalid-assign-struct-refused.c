// expect: refused [judge: syntax]
#include <assert.h>

struct a {
  int x;
};
struct b {
  int x;
};
int main(void) {
  struct a a = {1};
  struct b b;
  b = a;
  assert(b.x == 1);
  return 0;
}
