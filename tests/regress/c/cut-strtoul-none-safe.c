// expect: safe
// No digits: no number, and the end is the beginning.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char text[] = "zz";
  char *end = 0;
  unsigned long v = strtoul(text, &end, 10);
  assert(v == 0 && end == text);
  return 0;
}
