// expect: safe [judge: none]
// Input is any bytes.
#include <assert.h>
#include <unistd.h>

int main(void) {
  char b[4] = {0};
  long n = read(0, b, sizeof b);
  if (n > 0)
    assert(n <= 4);
  return 0;
}
