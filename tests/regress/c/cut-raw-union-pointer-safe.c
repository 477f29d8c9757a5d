// expect: safe, must
// The same heap bytes first as characters, then as numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  void *p = malloc(8);
  char *c = p;
  for (int i = 0; i < 8; i++)
    c[i] = 1;
  int *n = p;
  assert(n[1] == 0x01010101);
  return 0;
}
