// expect: unsafe, must [judge: none]
// Perhaps nobody else.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int which;          // 0 or 1
static atomic_int readers[2];
static int data[2];
static void *reader(void *u) {
  int w = atomic_load(&which);
  atomic_fetch_add(&readers[w], 1);
  assert(atomic_load(&readers[w]) >= 2);
  atomic_fetch_sub(&readers[w], 1);
  return 0;
}
static void *flip(void *u) { which = 1 - which; return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, flip, 0); } }
