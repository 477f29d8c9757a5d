// expect: safe, must
// What computes the length of a type is done where the type is declared.
#include <assert.h>

int main(void) {
  int n = 2;
  typedef int T[n++];
  assert(n == 3);
  return 0;
}
