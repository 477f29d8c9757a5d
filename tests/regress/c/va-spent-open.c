// expect: unknown, must [judge: none]
// A list that a function has read from has no value afterwards (C11 7.16p3); on some machines it has moved on, on others not.
#include <assert.h>
#include <stdarg.h>

static int next(va_list ap) { return va_arg(ap, int); }
static int second(int n, ...) {
  va_list ap;
  va_start(ap, n);
  next(ap);
  int result = va_arg(ap, int);
  va_end(ap);
  return result;
}
int main(void) {
  assert(second(2, 1, 2) == 2);
  return 0;
}
