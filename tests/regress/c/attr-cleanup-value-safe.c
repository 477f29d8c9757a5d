// expect: safe, must
// The function runs after the value of a statement expression or a return is known, while variables of the block live.
#include <assert.h>

static int released;
struct guard {
  int *target;
};
static void release(struct guard *g) {
  *g->target += 10;
  released++;
}
static int value(void) {
  int x = 1;
  struct guard g __attribute__((cleanup(release))) = {&x};
  int y = 2;
  struct guard h __attribute__((cleanup(release))) = {&y};
  g.target = &y;
  return x + y;
}
static void unset(int **p) { **p = 0; }
int main(void) {
  int n = 5;
  int v = ({
    int *p __attribute__((cleanup(unset))) = &n;
    *p + 1;
  });
  assert(v == 6 && n == 0);
  assert(value() == 3 && released == 2);
  return 0;
}
