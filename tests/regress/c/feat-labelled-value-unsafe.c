// expect: unsafe, must
// A label in front of the value of a block.
#include <assert.h>

#define IS_ZERO(x) \
  ({ \
    __label__ out; \
    int r = 0; \
    if (x) \
      goto out; \
    r = 1; \
  out: \
    r; \
  })

int main(void) {
  assert(IS_ZERO(1) == 0);
  assert(IS_ZERO(0) == 0);
  return 0;
}
