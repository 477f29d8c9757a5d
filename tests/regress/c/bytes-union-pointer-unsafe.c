// expect: unsafe
// A union through a pointer to one of its members.
#include <assert.h>

union u {
  unsigned i;
  unsigned short h[2];
};
static void set(unsigned short *p) { *p = 0xffff; }
int main(void) {
  union u u = {0};
  set(&u.h[1]);
  assert(u.i == 0xffffu);
  return 0;
}
