// expect: safe, must
// A table names functions that are defined further down.
#include <assert.h>

static int first(int);
static int second(int);
static int (*const table[])(int) = {first, second};
int main(void) {
  assert(table[1](3) == 6);
  return 0;
}
static int first(int x) {
  return x + 1;
}
static int second(int x) {
  return x * 2;
}
