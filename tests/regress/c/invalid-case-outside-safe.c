// expect: safe, must [judge: syntax]
#include <assert.h>

int main(void) {
  int x = 1;
  switch (x) {
  case 1:
    x = 2;
  }
  assert(x == 2);
  return 0;
}
