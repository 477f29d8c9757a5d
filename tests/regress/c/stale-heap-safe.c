// expect: safe, must [judge: none]
// A pointer to a local that is kept in memory until its function runs again.
#include <assert.h>
#include <stdlib.h>

struct box {
  int *kept;
};

void visit(struct box *box) {
  int x = 0;
  if (box->kept) {
    *box->kept = 1;
  }
  box->kept = &x;
  assert(x == 0);
  box->kept = 0;
}

int main(void) {
  struct box *box = calloc(1, sizeof *box);
  if (box) {
    visit(box);
    visit(box);
    free(box);
  }
  return 0;
}
