// expect: unsafe, must [judge: gcc]
// There is no such clock.
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec t;
  assert(clock_gettime(9999, &t) == 0);
}
