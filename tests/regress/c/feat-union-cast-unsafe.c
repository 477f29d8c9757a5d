// expect: unsafe, must
// A cast to a union.
#include <assert.h>

union value {
  int i;
  char *p;
};

int main(void) {
  union value v = (union value)4;
  assert(v.i == 5);
  return 0;
}
