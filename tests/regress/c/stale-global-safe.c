// expect: safe, must [judge: none]
// A pointer to a local that is kept in memory until its function runs again.
#include <assert.h>

int *kept;

void visit(void) {
  int x = 0;
  if (kept) {
    *kept = 1;
  }
  kept = &x;
  assert(x == 0);
  kept = 0;
}

int main(void) {
  visit();
  visit();
  return 0;
}
