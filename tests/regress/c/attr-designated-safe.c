// expect: safe, must
// Designators with ranges, and later ones win.
#include <assert.h>

int main(void) {
  int a[6] = {[1 ... 4] = 7, [2] = 9, 5};
  assert(a[3] == 5 && a[2] == 9 && a[4] == 7);
  return 0;
}
