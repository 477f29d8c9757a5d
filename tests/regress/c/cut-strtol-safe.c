// expect: safe, must
// The number, and where it ends.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  const char *text = "0x1fz";
  char *end;
  long v = strtol(text, &end, 0);
  assert(v == 31);
  assert(end - text == 4);
  return 0;
}
