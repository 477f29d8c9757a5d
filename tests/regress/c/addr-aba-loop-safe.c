// expect: safe [judge: gcc]
// Objects of one place, one after the other.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  uintptr_t seen = 0;
  for (int i = 0; i < 2; i++) {
    int *p = malloc(4);
    if (!p)
      return 0;
    assert((uintptr_t)p != seen);
    seen = (uintptr_t)p;
  }
  return 0;
}
