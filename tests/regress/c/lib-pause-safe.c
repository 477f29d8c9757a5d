// expect: safe [judge: none]
// pause does not return without a handler for a signal.
#include <assert.h>
#include <unistd.h>

int main(void) {
  pause();
  assert(0);
}
