// expect: safe, must [judge: none]
// Machine words are lock-free; for larger objects that is open.
#include <assert.h>
#include <stdatomic.h>

struct large {
  long words[8];
};
_Atomic struct large large;
atomic_int small;

int main(void) {
  assert(atomic_is_lock_free(&small));
  return atomic_is_lock_free(&large);
}
