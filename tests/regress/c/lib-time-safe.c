// expect: safe [judge: none]
// The time is any number.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t t = time(0);
  assert(t == t);
  return 0;
}
