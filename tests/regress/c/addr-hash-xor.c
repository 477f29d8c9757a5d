// expect: unknown [judge: none]
// By exclusive or.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  unsigned long h = (unsigned long)p ^ ((unsigned long)p >> 7);
  assert(h != 0x10203);
  return 0;
}
