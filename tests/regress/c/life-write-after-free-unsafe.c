// expect: unsafe, must [options: --memory-safety-check]
// A write to what is gone.
#include <stdlib.h>

struct s {
  int a, b;
};
int main(void) {
  struct s *p = malloc(sizeof *p);
  if (!p)
    return 0;
  struct s *q = p;
  free(p); q->b = 1;
  return 0;
}
