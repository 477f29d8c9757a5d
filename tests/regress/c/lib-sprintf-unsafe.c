// expect: unsafe
// It writes.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char b[16] = "";
  sprintf(b, "%d", 42);
  assert(b[0] == 0);
  return 0;
}
