// expect: unsafe, must
#include <assert.h>
#include <ctype.h>

int main(void) {
  assert(isdigit('7') && !isdigit('a') && toupper('q') == 'Q' && isspace('\n') && isalpha('1'));
  return 0;
}
