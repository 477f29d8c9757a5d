// expect: unsafe [options: --strict] [judge: none]
#include <assert.h>

static int i;
static int step(void) { return i++; }
int main(void) {
  int a[2] = {0, 0};
  a[step()] = step();
  assert(a[0] == 1);
  return 0;
}
