// expect: safe
// What is registered with atexit runs at the end.
#include <assert.h>
#include <stdlib.h>

static int x = 1;
static void last(void) { assert(x == 1); }
int main(void) {
  atexit(last);
  return 0;
}
