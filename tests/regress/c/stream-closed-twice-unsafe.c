// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A stream is closed once.
#include <stdio.h>

static int finish(FILE *file, int keep) {
  return keep ? 0 : fclose(file);
}
int main(void) {
  FILE *file = fopen("x", "r");
  if (file != 0) {
    finish(file, 0);
    finish(file, 0);
  }
  return 0;
}
