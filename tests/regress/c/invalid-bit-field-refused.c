// expect: refused [judge: syntax]
#include <assert.h>

struct s {
  unsigned a : 33;
};
int main(void) {
  struct s s = {1};
  assert(s.a == 1);
  return 0;
}
