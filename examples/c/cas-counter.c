// EXPECT: safe
// Two threads increment a counter by compare-and-swap, which fails when the other one was faster, and try again.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
  int old = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(&counter, &old, old + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
