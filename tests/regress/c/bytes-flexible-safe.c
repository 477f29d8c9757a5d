// expect: safe, must
// The array at the end is as long as the allocation.
#include <stdlib.h>

struct s {
  int n;
  int a[];
};
int main(void) {
  struct s *s = malloc(sizeof *s + 3 * sizeof(int));
  if (!s)
    return 0;
  s->n = 3;
  s->a[2] = 7;
  return 0;
}
