// expect: unsafe, must
// One member only.
#include <assert.h>
#include <stddef.h>

struct s {
  char c;
  int a __attribute__((packed));
  int b;
};
int main(void) {
  assert(offsetof(struct s, a) == 1);
  assert(offsetof(struct s, b) == 5);
  return 0;
}
