// expect: safe [judge: gcc]
// An initialised one, which GNU C has.
#include <assert.h>

static struct {
  int n;
  int a[];
} s = {2, {5, 6}};
int main(void) {
  assert(s.a[1] == 6);
  return 0;
}
