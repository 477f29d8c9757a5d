// expect: safe, must
// Constants of an enumeration that is not complete yet are of type int.
#include <assert.h>
enum error { BASE = 100, NEGATIVE = -BASE, HALF = BASE / -2, ORDER = BASE > -1 ? 3 : 4 };
int main(void) {
  long e = NEGATIVE;
  assert(e == -100 && HALF == -50 && ORDER == 3);
  return 0;
}
