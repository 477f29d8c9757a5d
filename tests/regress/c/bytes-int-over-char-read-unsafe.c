// expect: unsafe, must
// The other way round.
#include <assert.h>

static _Alignas(4) unsigned char buffer[4] = {1, 2, 0, 0};
int main(void) {
  int v = *(int *)buffer;
  assert(v == 0x102);
  return 0;
}
