// expect: unsafe, must [judge: gcc]
// There is no such signal.
#include <assert.h>
#include <signal.h>

int main(void) { assert(signal(9999, SIG_DFL) == SIG_DFL); }
