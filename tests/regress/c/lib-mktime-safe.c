// expect: safe [judge: gcc]
// mktime normalises what it is given.
#include <assert.h>
#include <time.h>

int main(void) {
  struct tm t = {0};
  t.tm_mday = 32;
  t.tm_year = 100;
  mktime(&t);
  assert(t.tm_mday == 1);
}
