// expect: safe, must
// Members of different structures share bytes.
#include <assert.h>

union u {
  struct {
    short a, b;
  } s;
  int i;
};
int main(void) {
  union u u;
  u.i = 0;
  u.s.b = 1;
  assert(u.i == 0x10000);
  return 0;
}
