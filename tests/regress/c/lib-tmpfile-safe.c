// expect: safe [judge: none]
// Nobody else writes to a temporary file.
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *f = tmpfile();
  if (!f || fputc('a', f) == EOF)
    return 0;
  rewind(f);
  int c = fgetc(f);
  assert(c == EOF || c == 'a');
}
