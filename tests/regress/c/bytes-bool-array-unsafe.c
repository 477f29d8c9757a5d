// expect: unsafe, must
// An array of them cleared.
#include <assert.h>
#include <string.h>

static _Bool flags[4] = {1, 1, 1, 1};
int main(void) {
  memset(flags + 1, 0, 2);
  assert(flags[0] && !flags[1] && !flags[2] && !flags[3]);
  return 0;
}
