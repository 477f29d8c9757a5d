// expect: safe, must [options: --memory-safety-check]
// What is written to a file is read from memory.
#include <unistd.h>

int main(void) {
  char b[4] = {0};
  return write(2, b, 4) == 7;
}
