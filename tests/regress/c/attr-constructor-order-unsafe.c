// expect: unsafe
// Priorities of two of them.
#include <assert.h>

static int order;
static void __attribute__((constructor(201))) second(void) { order = order * 10 + 2; }
static void __attribute__((constructor(200))) first(void) { order = order * 10 + 1; }
int main(void) {
  assert(order == 21);
  return 0;
}
