// expect: unsafe, must
// Bytes compare without a sign.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[2] = {1, (char)200}, b[2] = {1, 100};
  assert(memcmp(a, b, 2) < 0);
  return 0;
}
