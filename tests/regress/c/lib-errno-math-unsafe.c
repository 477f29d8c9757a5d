// expect: unsafe [judge: none]
// Library functions set errno.
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
  volatile double x = -1;
  errno = 0;
  x = log(x);
  assert(errno == 0);
}
