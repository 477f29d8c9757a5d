// expect: safe, must
// The rest of the array is zero.
#include <assert.h>

int main(void) {
  char a[6] = "ab";
  assert(a[1] == 'b' && a[2] == 0 && a[5] == 0);
  return 0;
}
