// expect: safe, must
// The function of the attribute runs at the end of the scope.
#include <assert.h>

static int closed;
static void drop(int *p) { closed += *p; }
int main(void) {
  {
    __attribute__((cleanup(drop))) int fd = 3;
    (void)fd;
  }
  assert(closed == 3);
  return 0;
}
