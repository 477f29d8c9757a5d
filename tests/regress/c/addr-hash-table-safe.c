// expect: safe [judge: none]
// A table by address: entries may collide.
#include <assert.h>

static int *table[4];
static int x, y;
static unsigned slot(int *p) { return ((unsigned long)p / 16) % 4; }
int main(void) {
  table[slot(&x)] = &x;
  table[slot(&y)] = &y;
  assert(table[slot(&y)] == &y);
  return 0;
}
