// expect: unsafe, must [judge: none]
// Comparing and exchanging a struct is one step; a failed comparison tells what was there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  int version;
  int value;
};
_Atomic struct pair shared;

void *work(void *argument) {
  struct pair old = atomic_load(&shared), new;
  do {
    new = old;
    new.version++;
    new.value += 2;
  } while (0);
  atomic_store(&shared, new);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  struct pair end = atomic_load(&shared);
  assert(end.version == 2 && end.value == 4);
  struct pair other = {9, 9};
  assert(!atomic_compare_exchange_strong(&shared, &other, end) && other.version == 2);
  return 0;
}
