// expect: safe [judge: gcc]
// The numbers of the standard streams are known.
#include <assert.h>
#include <stdio.h>

int main(void) { assert(fileno(stdin) == 0); }
