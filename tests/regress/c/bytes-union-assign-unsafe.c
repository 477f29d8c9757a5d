// expect: unsafe, must
// A union is assigned as a whole.
#include <assert.h>

union u {
  char c;
  int i;
};
int main(void) {
  union u a, b;
  a.i = 0x0a0b0c0d;
  a.c = 1;
  b = a;
  assert(b.i == 1);
  return 0;
}
