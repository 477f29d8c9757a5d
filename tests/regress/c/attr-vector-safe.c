// expect: safe
// All elements of a vector at once.
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
int main(void) {
  v4 a = {1, 2, 3, 4}, b = {1, 1, 1, 1};
  v4 c = a + b;
  assert(c[3] == 5);
  assert(sizeof(v4) == 16);
  return 0;
}
