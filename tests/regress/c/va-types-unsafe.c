// expect: unsafe, must
// Arguments of every kind keep their values; small ones and floats are promoted.
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>

struct point {
  int x, y;
  char name[3];
};
static int check(const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  int good = 0;
  for (const char *k = kinds; *k; k++) {
    if (*k == 'i')
      good += va_arg(ap, int) == -3;
    else if (*k == 'u')
      good += va_arg(ap, unsigned) == 7;
    else if (*k == 'l')
      good += va_arg(ap, int64_t) == -5000000000;
    else if (*k == 'd')
      good += va_arg(ap, double) == 1.5;
    else if (*k == 'p')
      good += *va_arg(ap, int *) == 11;
    else {
      struct point p = va_arg(ap, struct point);
      good += p.x == 1 && p.y == 2 && p.name[1] == 'b';
    }
  }
  va_end(ap);
  return good;
}
int main(void) {
  short s = -3;
  float f = 1.5f;
  int eleven = 11;
  struct point p = {1, 2, "aa"};
  assert(check("iuldps", s, 7, (int64_t)-5000000000, f, &eleven, p) == 6);
  assert(check("si", p, (signed char)-3) == 2);
  assert(check("") == 0);
  return 0;
}
