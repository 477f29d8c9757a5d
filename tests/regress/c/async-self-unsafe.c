// expect: unsafe, must [judge: none]
// Threads that a label starts have identities of their own, though nobody can wait for them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic pthread_t first;
static atomic_int is_set;
static void tell(void) {
  first = pthread_self();
  is_set = 1;
}
int main(void) {
  __CPROVER_ASYNC_1: tell();
  __CPROVER_ASYNC_2: if (is_set) assert(first == pthread_self());
  return 0;
}
