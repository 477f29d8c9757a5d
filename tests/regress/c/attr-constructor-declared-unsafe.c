// expect: unsafe
// The attribute at a declaration.
#include <assert.h>

static int ready;
static void start(void) __attribute__((constructor));
static void start(void) { ready = 1; }
int main(void) {
  assert(ready == 0);
  return 0;
}
