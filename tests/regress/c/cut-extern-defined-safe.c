// expect: safe, must
// Declared extern, then defined: zero.
#include <assert.h>

extern int counter;
int main(void) {
  assert(counter == 0);
  return 0;
}
int counter;
