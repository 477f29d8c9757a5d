// expect: safe, must [judge: gcc]
// So many nanoseconds are a time.
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec time = {0, 999999999};
  assert(nanosleep(&time, 0) == 0);
  return 0;
}
