// expect: safe [judge: gcc]
// A signal handler runs.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t hit;
static void handler(int s) { hit = 1; }
int main(void) {
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  assert(hit == 1);
  return 0;
}
