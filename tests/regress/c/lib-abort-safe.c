// expect: safe [judge: none]
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x = 0;
  if (1)
    abort();
  assert(0);
}
