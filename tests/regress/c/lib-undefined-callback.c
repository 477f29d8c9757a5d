// expect: unknown [judge: none]
// A function that takes another one may call it, even in a thread of its own.
#include <assert.h>

int register_handler(void (*f)(void));
static int x;
static void handler(void) { x = 1; }
int main(void) {
  register_handler(handler);
  assert(x == 0);
  return 0;
}
