// expect: safe
// An argument of one of several types.
#include <assert.h>

typedef union {
  int *i;
  char *c;
} any __attribute__((transparent_union));
static int f(any a) { return *a.c; }
int main(void) {
  int x = 0x0102;
  assert(f(&x) == 2);
  return 0;
}
