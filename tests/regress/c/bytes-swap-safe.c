// expect: safe, must
// Exchange of two objects by their bytes.
#include <assert.h>

static void swap(void *a, void *b, unsigned n) {
  unsigned char *p = a, *q = b;
  while (n-- > 0) {
    unsigned char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}
int main(void) {
  int x = 1000, y = -5;
  swap(&x, &y, sizeof x);
  assert(x == -5 && y == 1000);
  return 0;
}
