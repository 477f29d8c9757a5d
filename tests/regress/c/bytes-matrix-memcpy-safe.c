// expect: safe, must
// One row onto another.
#include <assert.h>
#include <string.h>

static int m[2][2] = {{1, 2}, {3, 4}};
int main(void) {
  memcpy(m[0], m[1], sizeof m[1]);
  assert(m[0][1] == 4);
  return 0;
}
