// expect: unsafe, must
// From nothing.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = realloc(0, sizeof(int));
  if (!p)
    return 0;
  *p = 3;
  assert(*p == 0);
  return 0;
}
