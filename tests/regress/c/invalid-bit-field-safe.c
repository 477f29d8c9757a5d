// expect: safe, must [judge: syntax]
#include <assert.h>

struct s {
  unsigned a : 32;
};
int main(void) {
  struct s s = {1};
  assert(s.a == 1);
  return 0;
}
