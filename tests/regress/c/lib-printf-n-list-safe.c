// expect: safe [judge: gcc]
// A list of arguments may have a place for %n.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

int count = 1;
void print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}
int main(void) {
  print("ab%n", &count);
  assert(count == 2);
}
