// expect: unsafe
// Runs before main.
#include <assert.h>

static int ready;
static void __attribute__((constructor)) start(void) { ready = 1; }
int main(void) {
  assert(ready == 0);
  return 0;
}
