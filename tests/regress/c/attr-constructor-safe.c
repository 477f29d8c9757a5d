// expect: safe
// Runs before main.
#include <assert.h>

static int ready;
static void __attribute__((constructor)) start(void) { ready = 1; }
int main(void) {
  assert(ready == 1);
  return 0;
}
