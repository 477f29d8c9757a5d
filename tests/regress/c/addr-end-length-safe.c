// expect: safe, must
// As a length.
#include <assert.h>

static char a[5];
int main(void) {
  char *end = &a[sizeof a];
  assert(end - a == 5);
  return 0;
}
