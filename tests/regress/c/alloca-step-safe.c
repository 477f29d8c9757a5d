// expect: safe
// Memory that the step of a loop allocates is another object each time.
#include <alloca.h>
#include <assert.h>

int main(void) {
  int *kept[3], n = 0;
  for (int i = 0; i < 3; kept[n] = alloca(sizeof(int)), *kept[n] = i, n++, i++) {
  }
  assert(*kept[0] == 0);
  return 0;
}
