// expect: safe [judge: gcc]
// Sets of signals are written.
#include <assert.h>
#include <signal.h>
#include <string.h>

int main(void) {
  sigset_t set;
  memset(&set, 0, sizeof set);
  sigfillset(&set);
  assert(((unsigned char *)&set)[0] != 0);
}
