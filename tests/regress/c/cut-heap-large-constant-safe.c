// expect: safe, must
// More than a megabyte, of a constant size.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(3000000);
  if (!p)
    return 0;
  p[2999999] = 5;
  assert(p[2999999] == 5);
  return 0;
}
