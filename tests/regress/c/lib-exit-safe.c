// expect: safe, must
// Nothing happens after it.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  exit(0);
  assert(0);
}
