// expect: refused [judge: syntax]
#include <assert.h>

static int f(void) { return 1; }
static void g(void) { return f(); }
int main(void) {
  int v = g();
  assert(v == 1);
  return 0;
}
