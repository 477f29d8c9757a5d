// expect: unsafe [judge: none]
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  if (x)
    abort();
  assert(0);
}
