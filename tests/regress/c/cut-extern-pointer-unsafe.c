// expect: unsafe [judge: none]
// A pointer of another file points to anything, or to nothing.
#include <assert.h>

extern int *place;
int main(void) {
  if (place) {
    int v = *place;
    assert(v == 0);
  }
  return 0;
}
