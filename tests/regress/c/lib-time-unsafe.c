// expect: unsafe [judge: none]
// The time is any number.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t t = time(0);
  assert(t == 0);
  return 0;
}
