// expect: safe, must [options: --memory-safety-check] [judge: none]
// fopen may fail, and then there is no stream.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "r");
  char text[4];
  if (file != 0) {
    fgets(text, 4, file);
  }
  return 0;
}
