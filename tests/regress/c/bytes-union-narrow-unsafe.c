// expect: unsafe, must
// The small member changes the low part only.
#include <assert.h>

union u {
  long l;
  char c;
};
int main(void) {
  union u u;
  u.l = 0x1234;
  u.c = 1;
  assert(u.l == 1);
  return 0;
}
