// expect: safe [judge: gcc]
// Qualifiers count behind pointers, but not in front.
#include <assert.h>

int main(void) {
  assert(!__builtin_types_compatible_p(char *, const char *));
  return 0;
}
