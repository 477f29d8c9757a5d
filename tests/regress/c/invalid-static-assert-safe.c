// expect: safe, must [judge: syntax]
#include <assert.h>

_Static_assert(sizeof(int) == 4, "width");
int main(void) {
  assert(1);
  return 0;
}
