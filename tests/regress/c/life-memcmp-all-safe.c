// expect: safe, must [options: --memory-safety-check]
// memcmp may read all of both objects: also behind the first difference they must have so many bytes.
#include <string.h>

int main(void) {
  char a[8] = "abc", b[8] = "xbc";
  return memcmp(a, b, 8) == 0;
}
