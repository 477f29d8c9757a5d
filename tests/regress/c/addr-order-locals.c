// expect: unknown [judge: none]
// And on the stack.
#include <assert.h>

int main(void) {
  int a = 0, b = 0;
  unsigned long x = (unsigned long)&a, y = (unsigned long)&b;
  assert(x > y);
  return a + b;
}
