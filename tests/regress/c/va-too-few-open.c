// expect: unknown, must [judge: none]
// Who reads more arguments than there are does something undefined.
#include <assert.h>
#include <stdarg.h>

static int sum(int n, ...) {
  va_list l;
  int s = 0;
  va_start(l, n);
  while (n-- > 0)
    s += va_arg(l, int);
  va_end(l);
  return s;
}
int main(void) {
  sum(3, 1, 2);
  return 0;
}
