// expect: safe [judge: gcc]
// sigaction writes what was to be done before.
#include <assert.h>
#include <signal.h>
#include <string.h>

int main(void) {
  struct sigaction old;
  memset(&old, 0x55, sizeof old);
  sigaction(SIGUSR1, 0, &old);
  assert(old.sa_flags != 0x55555555);
}
