// expect: unsafe, must
// By value, inner arrays included.
#include <assert.h>

struct s {
  int a[3];
  char c;
};
int main(void) {
  struct s x = {{1, 2, 3}, 4}, y;
  y = x;
  y.a[1] = 9;
  assert(x.a[1] == 9);
  return 0;
}
