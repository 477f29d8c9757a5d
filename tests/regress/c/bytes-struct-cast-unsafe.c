// expect: unsafe, must
// A pointer to the first member is one to the structure.
#include <assert.h>

struct base {
  int kind;
};
struct derived {
  struct base base;
  int value;
};
static int get(struct base *b) { return b->kind == 1 ? ((struct derived *)b)->value : 0; }
int main(void) {
  struct derived d = {{1}, 42};
  assert(get(&d.base) == 0);
  return 0;
}
