// expect: unsafe, must
// The same bits with a sign.
#include <assert.h>

union u {
  unsigned char a;
  signed char b;
};
int main(void) {
  union u u;
  u.a = 200;
  assert(u.b == 200);
  return 0;
}
