// expect: safe [judge: gcc]
// The number of the user does not change by itself.
#include <assert.h>
#include <unistd.h>

int main(void) { assert(getuid() == getuid()); }
