// expect: unsafe, must
// Copied with the structure.
#include <assert.h>
#include <string.h>

struct s {
  int a : 7;
  int b : 9;
  int : 0;
  int c : 2;
};
int main(void) {
  struct s x = {-3, 100, 1}, y;
  memcpy(&y, &x, sizeof x);
  assert(y.a == -3 && y.b == 100 && y.c == 0);
  assert(sizeof x == 8);
  return 0;
}
