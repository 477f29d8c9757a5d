// expect: safe, must [judge: none]
// A clock that cannot be set never goes backwards; one that can may.
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  clock_gettime(CLOCK_MONOTONIC, &b);
  assert(b.tv_sec >= a.tv_sec);
}
