// expect: unsafe, must [judge: none]
// The vocabulary of ESBMC.
#include <pthread.h>

void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
int nondet_int(void);
int x;

void *count(void *argument) {
  __ESBMC_atomic_begin();
  x = x + 1;
  __ESBMC_atomic_end();
  return 0;
}

int main(void) {
  pthread_t a, b;
  int n = nondet_int();
  __ESBMC_assume(n > 2);
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __ESBMC_assert(x == 2 && n > 3, "both");
  return 0;
}
