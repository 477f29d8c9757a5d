// expect: safe
// A function in a function, which GNU C has.
#include <assert.h>

int main(void) {
  int x = 0;
  void set(int v) { x = v; }
  set(1);
  assert(x == 1);
  return 0;
}
