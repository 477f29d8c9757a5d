// expect: safe, must [judge: gcc]
// One more than all elements.
#include <assert.h>

static char m[2][2];
static int after = 1;
int main(void) {
  char *p = (char *)m;
  for (int i = 0; i < 4; i++)
    p[i] = 1;
  assert(after == 1);
  return 0;
}
