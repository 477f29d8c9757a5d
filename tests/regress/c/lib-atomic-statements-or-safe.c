// expect: safe [options: --atomic-statements] [judge: none]
// An expression without side effects is one step with the option.
#include <assert.h>
#include <pthread.h>

static int a = 1, b;
static void *worker(void *arg) {
  __CPROVER_atomic_begin();
  a = 0;
  b = 1;
  __CPROVER_atomic_end();
  __CPROVER_atomic_begin();
  b = 0;
  a = 1;
  __CPROVER_atomic_end();
  return arg;
}
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  assert(b || a);
  return 0;
}
