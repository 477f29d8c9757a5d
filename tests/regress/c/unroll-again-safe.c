// expect: safe
// Memory that was released may come again in the next round, or not.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *last = 0, distinct = 0;
  unsigned long old = 0;
  for (int i = 0; i < 3; i++) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    distinct += (unsigned long)p != old;
    old = (unsigned long)p;
    *p = i;
    last = p;
    if (i < 2) free(p);
  }
  assert(distinct >= 1 && *last == 2);
  free(last);
  return 0;
}
