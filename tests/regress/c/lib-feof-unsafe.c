// expect: unsafe [judge: none]
// Where the end was seen there is nothing more to read.
#include <assert.h>
#include <stdio.h>

int main(void) {
  getchar();
  if (feof(stdin))
    assert(getchar() != EOF);
}
