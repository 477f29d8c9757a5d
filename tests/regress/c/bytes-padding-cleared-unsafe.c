// expect: unsafe
// Padding that was cleared, seen as bytes.
#include <assert.h>
#include <string.h>

struct s {
  char a;
  int b;
};
int main(void) {
  struct s x, y;
  memset(&x, 0, sizeof x);
  memset(&y, 0, sizeof y);
  ((char *)&y)[1] = 1;
  assert(memcmp(&x, &y, sizeof x) == 0);
  return 0;
}
