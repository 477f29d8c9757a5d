// expect: unsafe
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void) {
  assert(isalnum(EOF));
  return 0;
}
