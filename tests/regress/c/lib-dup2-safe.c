// expect: safe, must [judge: none]
// dup2 has the number that was asked for, or fails.
#include <assert.h>
#include <unistd.h>

int main(void) {
  int file = dup2(0, 7);
  assert(file == -1 || file == 7);
}
