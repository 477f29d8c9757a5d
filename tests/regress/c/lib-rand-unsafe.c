// expect: unsafe [judge: none]
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int r = rand();
  assert(r >= 0&& r < 1000);
  return 0;
}
