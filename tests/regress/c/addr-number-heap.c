// expect: unknown [judge: none]
// Or which one the heap begins with.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(1);
  assert((unsigned long)p != 4096 && (unsigned long)p != 65536);
  return 0;
}
