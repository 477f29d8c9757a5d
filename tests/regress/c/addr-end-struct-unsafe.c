// expect: unsafe
// An array of structures.
#include <assert.h>

struct s {
  int a, b;
};
static struct s v[2];
int main(void) {
  struct s *end = &v[2];
  int n = 0;
  for (struct s *p = v; p < end; p++)
    n++;
  end->a = 1;
  assert(n == 2);
  return 0;
}
