// expect: unsafe
// Runs after main.
#include <assert.h>

static int x;
static void __attribute__((destructor)) stop(void) { assert(x == 0); }
int main(void) {
  x = 1;
  return 0;
}
