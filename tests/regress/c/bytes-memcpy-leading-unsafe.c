// expect: unsafe, must [options: --memory-safety-check]
// A struct that begins with an array of bytes, copied into bytes and back.
#include <assert.h>
#include <string.h>
struct s { char a[4]; int x; };
int main(void) {
  struct s s = { "abc", 5 };
  char b[8];
  memcpy(b, &s, sizeof s);
  memset(&s, 0, sizeof s);
  memcpy(&s, b, sizeof s);
  assert(s.x == 6);
  return 0;
}
