// expect: unsafe [judge: none]
// What malloc gives has any value.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof(int));
  if (!p)
    return 0;
  assert(*p == 0);
  return 0;
}
