// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A stream that is closed is none.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "w");
  if (file != 0) {
    fprintf(file, "x");
    fclose(file);
    fprintf(file, "x");
  }
  fclose(stdin);
  return fflush(0);
}
