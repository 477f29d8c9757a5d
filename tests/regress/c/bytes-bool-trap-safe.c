// expect: safe, must
// A byte that is no truth value.
#include <assert.h>
#include <string.h>

int main(void) {
  _Bool b = 0;
  memset(&b, 1, 1);
  int v = b;
  assert(v == 0 || v == 1);
  return 0;
}
