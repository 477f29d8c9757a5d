// expect: unsafe
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  if (x)
    quick_exit(0);
  assert(0);
}
