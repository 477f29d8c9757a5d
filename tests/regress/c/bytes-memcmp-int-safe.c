// expect: safe, must
// The first byte is the lowest.
#include <assert.h>
#include <string.h>

int main(void) {
  int a = 0x0100, b = 0x0001;
  assert(memcmp(&a, &b, sizeof a) < 0);
  return 0;
}
