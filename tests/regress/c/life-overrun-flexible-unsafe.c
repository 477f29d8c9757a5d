// expect: unsafe, must [options: --memory-safety-check]
// The array at the end of a structure.
#include <stdlib.h>

struct s {
  int n;
  char c[];
};
int main(void) {
  struct s *s = malloc(sizeof *s + 4);
  if (!s)
    return 0;
  s->c[4] = 0;
  free(s);
  return 0;
}
