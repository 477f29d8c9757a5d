// EXPECT: safe
// The test-and-set lock of figure 28 of the thesis, by the name that its command line has.
#include "thesis/26-tas-l.c"
