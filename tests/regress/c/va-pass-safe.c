// expect: safe, must
// A list goes on to a helper, as in the library's functions whose names begin with "v".
#include <assert.h>
#include <stdarg.h>

static int total, count;
static void vadd(int n, va_list ap) {
  while (n-- > 0) {
    total += va_arg(ap, int);
    count++;
  }
}
static void add(int n, ...) {
  va_list ap;
  va_start(ap, n);
  vadd(n, ap);
  va_end(ap);
}
static int twice(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  int first = va_arg(ap, int);
  int same = va_arg(again, int);
  int second = va_arg(again, int);
  va_end(again);
  va_end(ap);
  return 100 * first + 10 * same + second;
}
static int next(va_list *list) { return va_arg(*list, int); }
static int by_pointer(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int a = next(&ap);
  int b = next(&ap);
  va_end(ap);
  return 10 * a + b;
}
int main(void) {
  add(3, 1, 2, 3);
  add(0);
  add(1, 4);
  assert(total == 10 && count == 4);
  assert(twice(2, 1, 2) == 112);
  int (*pointer)(int, ...) = by_pointer;
  assert(pointer(2, 3, 4) == 34);
  return 0;
}
