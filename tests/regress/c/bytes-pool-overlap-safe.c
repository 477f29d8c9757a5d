// expect: safe, must
// The twin gives out bytes twice.
#include <assert.h>

static _Alignas(8) char pool[32];
static unsigned used;
static void *take(unsigned n) {
  void *p = pool + used;
  used += n;
  return p;
}
int main(void) {
  int *x = take(4);
  int *y = take(4);
  *x = 0x11111111;
  *y = 0;
  assert(*x == 0x11111111);
  return 0;
}
