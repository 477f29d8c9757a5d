// expect: safe, must
// Cleared at once.
#include <assert.h>
#include <string.h>

static int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
int main(void) {
  memset(m, 0, sizeof m);
  assert(m[1][2] == 0);
  return 0;
}
