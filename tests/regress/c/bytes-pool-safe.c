// expect: safe, must
// Objects of two types from one array of characters.
#include <assert.h>

static _Alignas(8) char pool[32];
static unsigned used;
static void *take(unsigned n) {
  void *p = pool + used;
  used += (n + 7) / 8 * 8;
  return p;
}
struct pair {
  int a, b;
};
int main(void) {
  int *x = take(sizeof(int));
  struct pair *p = take(sizeof(struct pair));
  *x = 1;
  p->a = 2;
  p->b = 3;
  assert(*x == 1 && p->a == 2 && p->b == 3);
  return 0;
}
