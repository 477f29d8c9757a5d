// expect: unknown [judge: none]
// Hidden in a structure.
#include <assert.h>

struct ops {
  void (*run)(void);
};
int register_ops(struct ops *o);
static int x;
static void run(void) { x = 1; }
static struct ops ops = {run};
int main(void) {
  register_ops(&ops);
  assert(x == 0);
  return 0;
}
