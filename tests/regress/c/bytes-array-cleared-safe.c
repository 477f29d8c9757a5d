// expect: safe, must
// The same by memset.
#include <assert.h>
#include <string.h>

static int g;
int main(void) {
  for (int i = 0; i < 2; i++) {
    int a[3];
    memset(a, 1, sizeof a);
    g ^= a[2] + i;
  }
  assert(g == 3);
  return 0;
}
