// expect: safe, must [judge: none]
// Only the last two bits of the counter matter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next;
static int cell[4];
static void *worker(void *u) {
  unsigned mine = atomic_fetch_add(&next, 1) % 4;
  assert(mine < 4);
  cell[mine] = 1;
  return 0;
}
int main(void) { pthread_t t; for (int i = 0; i < 5; i++) pthread_create(&t, 0, worker, 0); }
