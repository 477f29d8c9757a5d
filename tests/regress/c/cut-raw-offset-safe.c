// expect: safe, must
// An integer at an odd place of raw bytes, byte by byte.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned char *raw = calloc(16, 1);
  int v = 0x01020304, w;
  memcpy(raw + 5, &v, sizeof v);
  memcpy(&w, raw + 5, sizeof w);
  assert(w == v);
  assert(raw[5] == 4);
  return 0;
}
