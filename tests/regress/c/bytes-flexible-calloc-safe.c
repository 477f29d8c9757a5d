// expect: safe, must
// Characters at the end.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct text {
  unsigned short size;
  char c[];
};
int main(void) {
  struct text *t = calloc(1, sizeof *t + 8);
  if (!t)
    return 0;
  t->size = 5;
  strcpy(t->c, "abcd");
  assert(t->c[3] == 'd' && t->c[6] == 0 && t->size == 5);
  return 0;
}
