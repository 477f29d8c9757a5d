// expect: refused [judge: syntax]
#include <assert.h>

_Static_assert(sizeof(int) == 2, "width");
int main(void) {
  assert(1);
  return 0;
}
