// expect: safe
// Labels as values.
#include <assert.h>

int main(void) {
  static void *where[] = {&&one, &&two};
  int x = 0;
  goto *where[0];
one:
  x = 1;
  assert(x == 1);
  return 0;
two:
  assert(x == 1);
  return 0;
}
