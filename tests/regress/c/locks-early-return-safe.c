// expect: safe, must [options: --no-search] [judge: none]
// A thread ends and keeps the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
extern int __VERIFIER_nondet_int(void);
void *w(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  if (__VERIFIER_nondet_int())
    return 0;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  assert(x == 0);
  return 0;
}
