// EXPECT: safe
// The ticket lock of figure 5 of the thesis, by the name that its command line has.
#include "thesis/19-ticket.c"
