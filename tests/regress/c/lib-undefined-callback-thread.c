// expect: unsafe [options: --undefined all] [judge: none]
// Drivers are callbacks: two may run at once.
#include <assert.h>

int bus_setup_intr(void (*f)(void), int priority);
static int busy;
static void intr(void) {
  busy++;
  assert(busy == 1);
  busy--;
}
int main(void) {
  bus_setup_intr(intr, 0);
  bus_setup_intr(intr, 0);
  while (1)
    ;
}
