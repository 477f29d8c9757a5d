// expect: safe [judge: gcc]
// The function is chosen when the program starts.
#include <assert.h>

static int two(void) { return 2; }
static void *choose(void) { return two; }
int f(void) __attribute__((ifunc("choose")));
int main(void) {
  assert(f() == 2);
  return 0;
}
