// expect: safe, must
// The built-in forms.
#include <assert.h>

int main(void) {
  int a[2] = {1, 2}, b[2];
  __builtin_memcpy(b, a, sizeof a);
  __builtin_memset(a, 0, sizeof a);
  assert(b[1] == 2 && a[1] == 0);
  return 0;
}
