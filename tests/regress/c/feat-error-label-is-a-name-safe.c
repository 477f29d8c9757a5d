// expect: safe, must [judge: none]
// Elsewhere a label may have any name.
#include <assert.h>

int main(void) {
  int x = 1;
  if (x == 1) {
    goto ERROR;
  }
  return 0;
ERROR:
  assert(x == 1);
  return 1;
}
