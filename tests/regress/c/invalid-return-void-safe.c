// expect: safe, must [judge: syntax]
#include <assert.h>

static int f(void) { return 1; }
static int g(void) { return f(); }
int main(void) {
  int v = g();
  assert(v == 1);
  return 0;
}
