// expect: safe [judge: gcc]
// And is stored, too.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t t = 0;
  time_t r = time(&t);
  assert(r == t);
  return 0;
}
