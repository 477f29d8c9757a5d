// expect: unsafe
// What the compiler knows about the size of an object is not known here.
#include <assert.h>
int main(void) {
  int a[2];
  unsigned long size = __builtin_object_size(a, 0);
  assert(size == 4);
  return a[0] && 0;
}
