// expect: unsafe
// What a loop tests is evaluated each time, and allocates each time.
#include <alloca.h>
#include <assert.h>

int main(void) {
  int *kept[3], *p, n = 0;
  while (n < 3 && (p = alloca(sizeof(int)))) {
    *p = n;
    kept[n++] = p;
  }
  assert(*kept[0] == 2);
  return 0;
}
