// expect: unsafe [judge: gcc]
// Half of a pointer is no pointer.
#include <assert.h>
#include <string.h>

static int a = 1;
int main(void) {
  int *p = 0, *q = &a;
  memcpy((char *)&p, (char *)&q, 4);
  assert(p == &a && *p == 1);
  return 0;
}
