// expect: safe, must
// A structure copied as characters.
#include <assert.h>

struct s {
  char a;
  short b;
  int c;
};
static void copy(void *to, const void *from, unsigned n) {
  char *t = to;
  const char *f = from;
  while (n--)
    *t++ = *f++;
}
int main(void) {
  struct s x = {1, -2, 3}, y = {0, 0, 0};
  copy(&y, &x, sizeof x);
  assert(y.a == 1 && y.b == -2 && y.c == 3);
  return 0;
}
