// expect: refused [judge: syntax]
#include <assert.h>

int main(void) {
  void x;
  assert(1);
  return 0;
}
