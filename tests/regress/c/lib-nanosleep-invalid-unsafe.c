// expect: unsafe, must [judge: gcc]
// So many nanoseconds are no time: the call fails. Once it was said to succeed always.
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec time = {0, 1000000000};
  assert(nanosleep(&time, 0) == 0);
  return 0;
}
