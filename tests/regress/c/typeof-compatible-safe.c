// expect: safe, must [judge: gcc]
// Types are compatible whatever their own qualifiers, and as they are spelled.
#include <assert.h>

typedef int number;
int main(void) {
  number n = 1;
  int(*p)[2];
  assert(__builtin_types_compatible_p(const int, typeof(n)));
  assert(__builtin_types_compatible_p(char *, char *) && !__builtin_types_compatible_p(char *, signed char *));
  assert(!__builtin_types_compatible_p(long, long long) && __builtin_types_compatible_p(int[], int[5]));
  typeof(typeof(n) *) q = &n;
  typeof(typeof(*p)[2]) matrix = {{1, 2}, {3, 4}};
  p = matrix;
  assert(*q + p[1][1] == 5);
  return 0;
}
