// expect: unsafe, must
// A static union is zero in its first member.
#include <assert.h>

static union {
  char c;
  int i;
} u = {5};
int main(void) {
  assert(u.i == 0);
  return 0;
}
