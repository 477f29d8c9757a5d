// expect: safe, must
// The same bits with a sign.
#include <assert.h>

union u {
  unsigned char a;
  signed char b;
};
int main(void) {
  union u u;
  u.a = 200;
  assert(u.b == -56);
  return 0;
}
