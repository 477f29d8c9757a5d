// expect: unsafe, must
// Nothing happens after it.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  if (x) exit(0);
  assert(0);
}
