// expect: safe, must
// Also when the scope is left by a return.
#include <assert.h>

static int closed;
static void drop(int *p) { closed++; }
static int f(int x) {
  __attribute__((cleanup(drop))) int fd = 3;
  if (x)
    return fd;
  return 0;
}
int main(void) {
  f(1);
  f(0);
  assert(closed == 2);
  return 0;
}
