// expect: safe, must [judge: none]
// A barrier that nobody initialised has no count: what happens is undefined, and nothing must be claimed.
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_wait(&barrier);
  return 0;
}
