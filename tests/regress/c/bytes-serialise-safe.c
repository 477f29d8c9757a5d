// expect: safe, must
// Into a buffer and back.
#include <assert.h>
#include <string.h>

int main(void) {
  unsigned char b[6];
  unsigned v = 0xcafebabe;
  unsigned short w = 0x1234;
  memcpy(b, &w, 2);
  memcpy(b + 2, &v, 4);
  unsigned r;
  memcpy(&r, b + 2, 4);
  assert(r == v);
  return 0;
}
