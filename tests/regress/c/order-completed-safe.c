// expect: safe, must
// Side effects that something completes before the value is known do not compete with an assignment.
#include <assert.h>

static int twice(int x) { return 2 * x; }
int main(void) {
  int a = 1, b = 0;
  a = (a++, a + 1);
  assert(a == 3);
  a = twice(a++);
  assert(a == 6);
  a = a++ ? a + 1 : 0;
  assert(a == 8);
  b = b++ || a;
  assert(b == 1);
  return 0;
}
