// expect: safe [judge: none]
#include <assert.h>
#include <unistd.h>

int main(void) {
  int x = 1;
  if (read(0, &x, sizeof x) == sizeof x)
    assert(x == x);
  return 0;
}
