// expect: safe, must
// `struct s;` in a block is a type of the block.
#include <assert.h>
struct s { int a; };
int main(void) {
  struct s;
  struct p { struct s *p; };
  struct s { long l[2]; };
  assert(sizeof *((struct p *)0)->p == 16);
  return 0;
}
