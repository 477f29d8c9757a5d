// expect: unknown, must [judge: none]
// A pointer to an object that is gone is compared with one that may have its address.
#include <assert.h>

int *kept;

int visit(void) {
  int x = 0;
  
  int same = kept == &x;
  kept = &x;
  return same;
}

int main(void) {
  visit();
  assert(!visit());
  return 0;
}
