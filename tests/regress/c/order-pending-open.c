// expect: unknown, must [judge: none]
// The increment and the assignment compete: C defines nothing.
#include <assert.h>

int main(void) {
  int a = 1;
  a = (0, a++);
  assert(a == 1);
  return 0;
}
