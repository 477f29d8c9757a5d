// EXPECT: unsafe
// Three threads, but the barrier lets two of them through before the third has written.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int values[3];

static void *work(void *argument) {
  int *mine = argument;
  *mine = 1;
  pthread_barrier_wait(&barrier);
  assert(values[0] == 1 && values[1] == 1 && values[2] == 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&first, 0, work, &values[0]);
  pthread_create(&second, 0, work, &values[1]);
  work(&values[2]);
  return 0;
}
