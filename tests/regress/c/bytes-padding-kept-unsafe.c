// expect: unsafe, must
// Bytes written into padding stay there for a copy by memcpy.
#include <assert.h>
#include <string.h>

struct s {
  char a;
  int b;
};
int main(void) {
  struct s x, y;
  memset(&x, 0, sizeof x);
  ((unsigned char *)&x)[2] = 9;
  memcpy(&y, &x, sizeof y);
  assert(((unsigned char *)&y)[2] == 0);
  return 0;
}
