// expect: safe, must
// What computes a length is done although the length is known.
#include <assert.h>

int main(void) {
  int k = 0;
  int a[(k++, 3)];
  int b[2][(k++, 3)];
  a[2] = b[1][2] = 1;
  assert(sizeof(int[(k++, 3)]) == 12);
  assert(k == 3);
  return a[2] + b[1][2] == 0;
}
