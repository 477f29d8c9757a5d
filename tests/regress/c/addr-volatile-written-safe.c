// expect: safe [judge: none]
// What is written need not be read back.
#include <assert.h>

extern volatile unsigned char control;
int main(void) {
  control = 1;
  unsigned char v = control;
  assert(v <= 255);
  return 0;
}
