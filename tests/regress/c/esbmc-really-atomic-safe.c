// expect: safe, must [judge: none]
// ESBMC's stronger word for a section that nobody interrupts.
#include <pthread.h>
void __ESBMC_really_atomic_begin(void);
void __ESBMC_really_atomic_end(void);
static int x;
static void *twice(void *unused) {
  __ESBMC_really_atomic_begin();
  x = 1;
  x = 0;
  __ESBMC_really_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, twice, 0);
  __CPROVER_assert(x == 0, "nobody sees 1");
  return 0;
}
