// expect: safe
#include <assert.h>
#include <stdlib.h>

struct s {
  int key;
  char name;
};
static int by_key(const void *a, const void *b) {
  return ((const struct s *)a)->key - ((const struct s *)b)->key;
}
int main(void) {
  struct s v[2] = {{2, 'b'}, {1, 'a'}};
  qsort(v, 2, sizeof v[0], by_key);
  assert(v[0].name == 'a');
  return 0;
}
