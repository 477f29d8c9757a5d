// expect: unsafe [judge: none]
// Each thread has a local of its own, whose address leaves it.
#include <assert.h>
#include <pthread.h>

static int *shared;
extern int __VERIFIER_nondet_int(void);
static void *worker(void *arg) {
  int mine = 0;
  shared = &mine;
  int *p = shared;
  *p = *p + 1;
  assert(mine == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int())
    pthread_create(&t, 0, worker, 0);
  return 0;
}
