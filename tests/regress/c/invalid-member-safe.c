// expect: safe, must [judge: syntax]
#include <assert.h>

struct s {
  int a;
};
int main(void) {
  struct s s = {1};
  assert(s.a == 1);
  return 0;
}
