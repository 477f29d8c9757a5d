// expect: unsafe [judge: none]
#include <assert.h>
#include <unistd.h>

int main(void) {
  int x = 1;
  if (read(0, &x, sizeof x) == sizeof x)
    assert(x == 1);
  return 0;
}
