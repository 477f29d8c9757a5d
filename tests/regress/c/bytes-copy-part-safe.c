// expect: safe, must
// Only the first bytes are copied.
#include <assert.h>

struct s {
  char a;
  int c;
};
int main(void) {
  struct s x = {1, 0x05060708}, y = {0, 0};
  char *t = (char *)&y, *f = (char *)&x;
  for (int i = 0; i < 6; i++)
    t[i] = f[i];
  assert(y.c == 0x0708);
  return 0;
}
