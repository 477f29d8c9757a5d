// expect: unsafe
// Numbers of 128 bits.
#include <assert.h>

int main(void) {
  unsigned __int128 x = (unsigned __int128)0x8000000000000000ul * 4;
  assert((unsigned long)(x >> 64) == 0);
  return 0;
}
