// expect: unsafe, must
// The argument is evaluated once.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[4] = {5, 5, 5, 5}, *p = a;
  memset(p++, 0, 1);
  assert(p == a + 2 && a[1] == 5);
  return 0;
}
