// expect: refused [judge: none]
#include <assert.h>

void x;
int main(void) {
  assert(1);
  return 0;
}
