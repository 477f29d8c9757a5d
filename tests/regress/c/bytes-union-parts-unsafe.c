// expect: unsafe, must
// A union read as another type.
#include <assert.h>

union u {
  int i;
  unsigned char c[4];
};
int main(void) {
  union u u;
  u.i = 0x01020304;
  assert(u.c[1] == 2);
  return 0;
}
