// expect: safe [judge: none]
// Locks in the order of their addresses.
#include <assert.h>

static int a, b;
static void lower(int *p, int *q, int **r) { *r = p < q ? p : q; }
int main(void) {
  int *r;
  lower(&a, &b, &r);
  assert(r == &a || r == &b);
  return 0;
}
