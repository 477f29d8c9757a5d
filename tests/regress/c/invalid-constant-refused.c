// expect: refused [judge: none]
#include <assert.h>

int main(void) {
  unsigned long x = 12345678901234567890123456u;
  assert(x != 0);
  return 0;
}
