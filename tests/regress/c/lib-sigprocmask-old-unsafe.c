// expect: unsafe [judge: gcc]
// The old mask is written.
#include <assert.h>
#include <signal.h>
#include <string.h>

int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  memset(&old, 0xff, sizeof old);
  sigprocmask(SIG_BLOCK, &set, &old);
  assert(((unsigned char *)&old)[0] == 0xff);
}
