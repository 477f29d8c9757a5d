// expect: unsafe, must
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char a[] = "ab";
  char *p = strdup(a);
  if (!p)
    return 0;
  a[0] = 'x';
  assert(p[0] == 'x' && p[2] == 0);
  free(p);
  return 0;
}
