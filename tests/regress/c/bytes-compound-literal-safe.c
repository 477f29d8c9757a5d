// expect: safe, must
// An object without a name.
#include <assert.h>

struct s {
  int a, b;
};
static int sum(const struct s *s) { return s->a + s->b; }
int main(void) {
  assert(sum(&(struct s){1, 2}) == 3);
  return 0;
}
