// expect: unknown, must [judge: none]
// An unsigned argument may be read as a signed one only where both have the value.
#include <stdarg.h>

static int first(int n, ...) {
  va_list l;
  va_start(l, n);
  int result = va_arg(l, int);
  va_end(l);
  return result;
}
int main(void) {
  first(1, 3000000000u);
  return 0;
}
