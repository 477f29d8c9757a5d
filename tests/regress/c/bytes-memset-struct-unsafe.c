// expect: unsafe, must
// Pointers become null.
#include <assert.h>
#include <string.h>

struct s {
  int *p;
  int n;
};
int main(void) {
  int x;
  struct s s = {&x, 1};
  memset(&s, 0, 4);
  assert(s.n == 0);
  return 0;
}
