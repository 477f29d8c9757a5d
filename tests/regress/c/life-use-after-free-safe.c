// expect: safe, must
// Without the option the use is a limit at least, never silence.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p)
    return 0;
  *p = 1;
  int v = *p; free(p);
  assert(v == 1 || v != 1);
  return 0;
}
