// expect: safe, must [options: --memory-safety-check]
// The outer object is freed before the inner one.
#include <stdlib.h>

struct s {
  int *inner;
};
int main(void) {
  struct s *s = malloc(sizeof *s);
  if (!s)
    return 0;
  s->inner = malloc(4);
  free(s->inner);
  free(s);
  return 0;
}
