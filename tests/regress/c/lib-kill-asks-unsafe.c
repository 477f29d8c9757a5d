// expect: unsafe, must [judge: none]
// Signal 0 only asks, and the answer may be no.
#include <assert.h>
#include <signal.h>

int main(void) {
  int result = kill(1, 0);
  assert(result == 0);
}
