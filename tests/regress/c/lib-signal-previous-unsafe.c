// expect: unsafe [judge: gcc]
// signal says what was to be done before.
#include <assert.h>
#include <signal.h>

int main(void) {
  signal(SIGUSR1, SIG_IGN);
  assert(signal(SIGUSR1, SIG_DFL) == SIG_DFL);
}
