// expect: unsafe, must
// In a typedef and by the keyword.
#include <assert.h>
#include <stddef.h>

typedef int wide __attribute__((aligned(8)));
struct s {
  char c;
  wide w;
  _Alignas(16) char d;
};
int main(void) {
  assert(offsetof(struct s, w) == 8);
  assert(offsetof(struct s, d) == 12);
  return 0;
}
