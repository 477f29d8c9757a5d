// expect: safe, must
// Bit-fields as the bytes that they are in.
#include <assert.h>
#include <string.h>

struct s {
  unsigned a : 4;
  unsigned b : 12;
};
int main(void) {
  struct s s;
  memset(&s, 0, sizeof s);
  s.a = 5;
  s.b = 0x123;
  unsigned char *p = (unsigned char *)&s;
  assert(p[0] == 0x35);
  return 0;
}
