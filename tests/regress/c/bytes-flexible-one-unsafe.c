// expect: unsafe [judge: gcc]
// The old way, with one element.
#include <assert.h>
#include <stdlib.h>

struct s {
  int n;
  int a[1];
};
int main(void) {
  struct s *s = malloc(sizeof *s + 2 * sizeof(int));
  if (!s)
    return 0;
  int *a = s->a;
  a[2] = 7;
  assert(a[2] == 8);
  return 0;
}
