// expect: safe, must [judge: none]
#include <assert.h>

int main(void) {
  unsigned long x = 12345678901234567890u;
  assert(x != 0);
  return 0;
}
