// expect: unsafe, must [judge: gcc]
// All rows through one pointer (which all compilers allow).
#include <assert.h>

static int m[3][4];
int main(void) {
  int *p = &m[0][0];
  for (int i = 0; i < 12; i++)
    p[i] = i;
  assert(m[2][1] == 6);
  return 0;
}
