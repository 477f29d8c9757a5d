// expect: unknown [judge: none]
// Nobody knows what a function pointer of another file points to; it may call back into this one.
#include <assert.h>

extern void (*hook)(void);
static int state;
void set_state(void) { state = 1; }
int main(void) {
  hook();
  assert(state == 0);
  return 0;
}
