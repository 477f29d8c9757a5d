// expect: safe, must [judge: none]
// A function whose name says that nobody interrupts it, as the first one of threads and by a pointer.
#include <assert.h>
#include <pthread.h>

int x;

void *__VERIFIER_atomic_add(void *unused) {
  int seen = x;
  x = seen + 1;
  return 0;
}

void *(*by_pointer)(void *) = __VERIFIER_atomic_add;

void *other(void *unused) { return by_pointer(0); }

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, __VERIFIER_atomic_add, 0);
  pthread_create(&two, 0, other, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(x == 2);
  return 0;
}
