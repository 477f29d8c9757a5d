// expect: safe, must
// An enumeration as its bytes.
#include <assert.h>

enum e { A, B = 258 };
int main(void) {
  enum e e = B;
  unsigned char *p = (unsigned char *)&e;
  assert(sizeof e == 4 && p[0] == 2 && p[1] == 1);
  return 0;
}
