// expect: unsafe, must [options: --32] [judge: none]
// Sizes of the other data model.
#include <assert.h>

int main(void) {
  assert(sizeof(long) == 4 && sizeof(void *) == 8 && sizeof(long long) == 8);
  return 0;
}
