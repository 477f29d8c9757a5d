// expect: safe, must
// The number of rounds is computed, and the counter goes down.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int n = 1;
  n = n * 4 + 1;
  int count = 0, *p = 0;
  do {
    free(p);
    p = malloc(sizeof *p);
    if (!p) return 0;
    *p = n;
    count++;
    n -= 2;
  } while (n > 0);
  int last = *p;
  free(p);
  assert(count == 3 && last == 1);
  return 0;
}
