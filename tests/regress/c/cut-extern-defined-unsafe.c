// expect: unsafe, must
// Declared extern, then defined: zero.
#include <assert.h>

extern int counter;
int main(void) {
  assert(counter == 1);
  return 0;
}
int counter;
