// expect: unknown, must [judge: none]
// Who reads an argument with another type does something undefined.
#include <stdarg.h>

static long first(int n, ...) {
  va_list l;
  va_start(l, n);
  long result = va_arg(l, long);
  va_end(l);
  return result;
}
int main(void) {
  first(1, 1);
  return 0;
}
