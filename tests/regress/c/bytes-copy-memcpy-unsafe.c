// expect: unsafe, must
// memcpy of a structure with padding.
#include <assert.h>
#include <string.h>

struct s {
  char a;
  long b;
};
int main(void) {
  struct s x = {7, 8}, y;
  memcpy(&y, &x, sizeof y);
  x.b = 9;
  assert(y.a == 7 && y.b == 9);
  return 0;
}
