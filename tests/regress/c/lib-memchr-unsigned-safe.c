// expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  unsigned char a[2] = {1, 200};
  assert((memchr(a, -56, 2) != 0));
  return 0;
}
