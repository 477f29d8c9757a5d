// expect: unsafe, must
// What follows `sizeof(T) &&` is a name, and no label.
#include <assert.h>

static int both(int a) {
  return sizeof(int *) && a;
}
int main(void) {
  int n = 7;
  assert(both(n) && sizeof(int)&&n == 8);
  return 0;
}
