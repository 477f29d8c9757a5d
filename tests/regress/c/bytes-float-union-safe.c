// expect: safe
// The same by a union.
#include <assert.h>

union u {
  float f;
  unsigned i;
};
int main(void) {
  union u u;
  u.f = 2.0f;
  assert(u.i == 0x40000000u);
  return 0;
}
